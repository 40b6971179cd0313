//! The points of both players as a game goes on.

use super::{Answered, BestLine, Match};
use tablegen_games::{Game, Reading};
use tablegen_rules::{Node, Terminal};

/// The names of the player to move at `reading` and of the other player: the names of the sides if the position determines them, or the
/// names of the players. Without a word about it, the player who begins is to move.
pub(crate) fn players_of(game: &dyn Game, reading: &Reading) -> Option<[String; 2]> {
    let named = || {
        let [first, second] = game.named_players()?.clone();
        Some(if reading.mover == Some(1) { [second, first] } else { [first, second] })
    };
    game.players(reading.node).or_else(named)
}

/// A lead as points of the two players: only the one who leads has some.
pub(crate) const fn ahead(lead: i32) -> [i32; 2] {
    if lead < 0 { [0, -lead] } else { [lead, 0] }
}

/// The sign of a player's points in the rules of `game`.
pub(crate) fn sign(game: &dyn Game) -> i32 {
    if game.counts_fewest() { -1 } else { 1 }
}

/// The points that the board at `node` shows, for the player to move and for the other player: pieces that count at the end, or the
/// points of an end of play. `None` if the board shows none.
pub(crate) fn on_board(game: &dyn Game, node: Node) -> Option<[i32; 2]> {
    let Node::At(at) = node else { return None };
    let rules = game.rules();
    if !rules.counts_points() {
        return None;
    }
    match rules.terminal_at(at).unwrap_or_else(|| rules.terminal_in(at.mode)) {
        Terminal::Most { own, other } => {
            let count = |cells| (at.board & cells).count() as i32;
            let [own, other] = [own, other].map(count);
            Some(if game.counts_fewest() { [other, own] } else { [own, other] })
        }
        Terminal::Points(points) if rules.is_over(at) => Some(ahead(sign(game) * i32::from(points))),
        Terminal::Points(_) | Terminal::Always(_) => None,
    }
}

/// The points that the player to move at `at` has more than the other player, with those of the position; `None` if they are not known.
/// In a game for the fewest points, the player to move has this many fewer.
#[must_use]
pub fn margin(at: &Answered) -> Option<i32> {
    Some(at.answer.lead + at.answer.value?.score()?)
}

impl BestLine {
    /// The points of the player who moves first in the line, and of the other player, after `plies` moves: those from before the line,
    /// those of its moves, and those that the board shows. `None` if nothing is counted there.
    #[must_use]
    pub fn points_after(&self, game: &dyn Game, plies: usize) -> Option<[i32; 2]> {
        let plies = plies.min(self.plies.len());
        let at = plies.checked_sub(1).map_or(&self.start, |last| &self.plies[last].after).answer.node?;
        let shown = on_board(game, at);
        if !game.rules().has_gains() && self.before == [0; 2] && shown.is_none() {
            return None;
        }
        let ([first, second], [mover, other]) = (self.gained_after(game, plies), shown.unwrap_or_default());
        let [of_first, of_second] = if self.is_first(plies) { [mover, other] } else { [other, mover] };
        Some([first + of_first, second + of_second])
    }

    /// The points from before the line and of its first `plies` moves.
    fn gained_after(&self, game: &dyn Game, plies: usize) -> [i32; 2] {
        let mut points = self.before;
        for (number, ply) in self.plies[..plies].iter().enumerate() {
            points[usize::from(!self.is_first(number))] += sign(game) * i32::from(ply.chosen.gain);
        }
        points
    }
}

impl Match<'_> {
    /// The points of the player who moved first, and of the other player, after `plies` moves, as [`BestLine::points_after`].
    #[must_use]
    pub fn points_after(&self, plies: usize) -> Option<[i32; 2]> {
        self.made().points_after(self.source().game(), plies)
    }

    /// The points of the moves so far, of the player to move and of the other player.
    pub(crate) fn gained(&self) -> [i32; 2] {
        let (line, plies) = (self.made(), self.plies().len());
        let [first, second] = line.gained_after(self.source().game(), plies);
        if line.is_first(plies) { [first, second] } else { [second, first] }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Asked, Engine, Seat, Source, TableDirs, View, game};
    use tablegen_games::{FileGame, Parameters};

    fn source(game: Box<dyn Game>) -> Source {
        Engine::new(TableDirs::none()).source(game, 1000).unwrap()
    }

    fn boxes() -> Source {
        source(game("dots-and-boxes", &Parameters::new().with("rows", 1)).unwrap())
    }

    fn line(source: &Source, text: Option<&str>) -> BestLine {
        source.line(&Asked::typed(source.game(), text).unwrap()).unwrap()
    }

    /// The points at the beginning and at the end of best play, and the winner.
    fn counted(source: &Source, text: Option<&str>) -> ([Option<[i32; 2]>; 2], Option<String>) {
        let line = line(source, text);
        let points = [0, line.plies.len()].map(|plies| line.points_after(source.game(), plies));
        (points, line.winner().map(str::to_owned))
    }

    #[test]
    fn the_points_of_moves_add_to_the_lead() {
        let boxes = boxes();
        assert_eq!(counted(&boxes, None), ([Some([0, 0]), Some([1, 1])], None));
        let last = |lead| counted(&boxes, Some(&format!("#X#X#/X#X#X/#X#.# {lead}")));
        assert_eq!(last("-1"), ([Some([0, 1]), Some([1, 1])], None));
        assert_eq!(last("x1"), ([Some([1, 0]), Some([2, 0])], Some("x".into())));
        // O is to move and leads by two.
        assert_eq!(last("o-2"), ([Some([2, 0]), Some([3, 0])], Some("o".into())));
    }

    #[test]
    fn a_line_in_a_game_goes_on_counting() {
        let boxes = boxes();
        let asked = Asked::typed(boxes.game(), Some("#X#X#/X#X#./#.#.#")).unwrap();
        let mut play = Match::new(&boxes, &asked, None::<Seat>).unwrap();
        play.play("b3").unwrap();
        play.play("e2").unwrap();
        assert_eq!((play.points_after(2), play.players_after(2)), (Some([1, 0]), ["o", "x"]));
        let line = play.line().unwrap();
        assert_eq!([0, 1].map(|plies| line.points_after(boxes.game(), plies)), [Some([0, 1]), Some([1, 1])]);
        assert_eq!(margin(play.now()), Some(0));
    }

    #[test]
    fn pieces_on_the_board_count() {
        let discs = source(game("reversi", &Parameters::new().with("rows", 3)).unwrap());
        assert_eq!(counted(&discs, None), ([Some([2, 2]), Some([12, 0])], Some("black".into())));
        let squares = source(game("tactics", &Parameters::new()).unwrap());
        assert_eq!(counted(&squares, None).0, [None; 2]);
    }

    #[test]
    fn who_plays_for_the_fewest_has_fewer() {
        let text = "name = \"two\"\naim = \"fewest\"\nplay = \"draw\"\nboard = { row = 2 }\n\
                    move = [{ shape = \"X\", gains = 1 }, { shape = \"XX\", gains = 1 }]";
        let two = source(Box::new(FileGame::read(text, &Parameters::new()).unwrap()));
        // Taking one square leaves the other player one.
        assert_eq!(counted(&two, None), ([Some([0, 0]), Some([1, 1])], None));
        assert_eq!(counted(&two, Some("X. +1")).0, [Some([0, 1]), Some([1, 1])]);
    }

    #[test]
    fn moves_on_the_board_are_those_of_the_answer() {
        let boxes = boxes();
        for text in ["#X#.#/X#X#./#.#.#", "#X#.#/X#X#./#.#.# o-1"] {
            let asked = Asked::typed(boxes.game(), Some(text)).unwrap();
            let (view, answer) = (View::of(boxes.game(), &asked).unwrap(), boxes.answer(&asked).unwrap().answer);
            let mut drawn: Vec<_> = view.moves.iter().map(|m| (m.position.clone(), m.gain, m.again)).collect();
            let mut answered: Vec<_> = answer.moves.iter().map(|m| (m.position.clone(), m.gain, m.again)).collect();
            drawn.sort();
            answered.sort();
            assert_eq!((view.position, view.lead, drawn), (answer.position, answer.lead, answered));
        }
    }
}
