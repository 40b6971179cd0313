//! Pieces in hand: the modes of a game in which players first put their pieces on the board.
//!
//! A mode is the side to move and the pieces that each side still has in hand: `x-3-2`, or `x` once both hands are
//! empty. The file does not list these modes. They follow from the `[[move]]` tables alone, before any of these is
//! placed on the board:
//!
//! ```text
//! hand = { x = 2, o = 1 }, every move from the hand while there is a piece in it:
//!     x-2-1 -> o-1-1 -> x-1-0 -> o -> x -> o ...
//! ```

use std::collections::{BTreeSet, VecDeque};
use std::ops::RangeInclusive;

use super::amounts::Amounts;
use super::each;
use super::error::{Read, RulesFileError};
use super::expression::Values;
use super::moves;
use super::placement::Budget;
use super::source::{Item, Keys};
use super::squares::Squares;
use super::turns::{self, MOST_MODES, Sides, Turns};
use crate::rules::{MAX_CELLS, Mode};

/// The word with which a move says that its piece comes from the hand.
const FROM_HAND: &str = "hand";

/// The side to move, and the pieces that each side has in hand.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) struct Holding {
    pub(super) side: u16,
    pub(super) left: [u32; 2],
}

impl Holding {
    /// The state after a move: the other side is to move, and a piece may have left the hand.
    fn after(self, from_hand: bool) -> Option<Self> {
        let mut left = self.left;
        let own = &mut left[usize::from(self.side)];
        *own = own.checked_sub(u32::from(from_hand))?;
        Some(Self { side: 1 - self.side, left })
    }

    /// The state with the name `text`.
    fn named(text: &str, sides: &[String; 2]) -> Option<Self> {
        let (rest, second) = text.rsplit_once('-')?;
        let (mover, first) = rest.rsplit_once('-')?;
        let side = sides.iter().position(|side| side == mover)? as u16;
        Some(Self { side, left: [first.parse().ok()?, second.parse().ok()?] })
    }

    fn name(self, sides: &[String; 2]) -> String {
        let side = &sides[usize::from(self.side)];
        let [first, second] = self.left;
        if self.left == [0, 0] { side.clone() } else { format!("{side}-{first}-{second}") }
    }
}

/// The modes of a game with pieces in hand.
#[derive(Clone, Debug)]
pub(super) struct Hand {
    /// The pieces that each side has in hand at the beginning.
    full: [u32; 2],
    /// Each mode that play can reach, by its number.
    modes: Vec<Holding>,
    /// Whether all pieces of each side come from its hand.
    comes_from_hand: [bool; 2],
}

impl Hand {
    /// The modes with `side` to move, or of both sides.
    pub(super) fn of_side(&self, side: Option<u16>) -> impl Iterator<Item = (Mode, Holding)> + '_ {
        let modes = (0..).map(Mode).zip(self.modes.iter().copied());
        modes.filter(move |(_, holding)| side.is_none_or(|side| holding.side == side))
    }

    /// What is in hand in `mode`.
    pub(super) fn holding(&self, mode: Mode) -> Holding {
        self.modes[usize::from(mode.0)]
    }

    /// The mode after a move from `mode`, perhaps with a piece from the hand; `None` if the hand is empty, or play
    /// cannot reach it.
    pub(super) fn next(&self, mode: Mode, from_hand: bool) -> Option<Mode> {
        self.number(self.holding(mode).after(from_hand)?)
    }

    /// The mode in which `side` is to move with full hands.
    pub(super) fn full_mode(&self, side: u16) -> Option<Mode> {
        self.number(Holding { side, left: self.full })
    }

    /// The pieces of both sides in hand at the beginning.
    pub(super) const fn full(&self) -> [u32; 2] {
        self.full
    }

    fn number(&self, holding: Holding) -> Option<Mode> {
        self.modes.iter().position(|known| *known == holding).map(|number| Mode(number as u16))
    }

    /// The most pieces of `colour` that play can have put on the board in `mode`; `None` if that does not follow from
    /// the hand.
    pub(super) fn most_on_board(&self, mode: Mode, colour: u32) -> Option<u32> {
        let side = colour as usize;
        self.comes_from_hand[side].then(|| self.full[side] - self.holding(mode).left[side])
    }

    /// The pieces that each side has in hand in `mode`.
    pub(super) fn left(&self, mode: Mode) -> [u32; 2] {
        self.holding(mode).left
    }

    /// The side to move and the pieces in hand, in words.
    pub(super) fn remark(&self, mode: Mode, sides: &[String; 2]) -> String {
        let Holding { side, left } = self.holding(mode);
        let mover = &sides[usize::from(side)];
        if left == [0, 0] {
            return format!("{mover} to move");
        }
        let ([first, second], [x, o]) = (sides, left);
        format!("{mover} to move; in hand: {x} of {first}, {o} of {second}")
    }

    /// What names of modes mean, for an error about `found`: the first mode as an example, or, if `found` names numbers of pieces that
    /// cannot be in hand together, the modes of that side that are nearest.
    pub(super) fn form(&self, sides @ [first, second]: &[String; 2], found: &str) -> String {
        if let Some(impossible) = Holding::named(found, sides) {
            let distance = |it: &Holding| (0..2).map(|of| it.left[of].abs_diff(impossible.left[of])).sum::<u32>();
            let mut modes: Vec<Holding> = self.of_side(Some(impossible.side)).map(|(_, holding)| holding).collect();
            modes.sort_by_key(distance);
            let near: Vec<String> = modes.iter().take(2).map(|holding| holding.name(sides)).collect();
            return format!("pieces in hand as play leaves them, such as {},", near.join(" or "));
        }
        let example = Holding { side: self.modes[0].side, left: self.full };
        let [x, o] = self.full;
        let (name, mover) = (example.name(sides), [first, second][usize::from(example.side)]);
        format!(
            "the side to move and the pieces in hand, such as {name} ({mover} to move, {x} in hand of {first}, {o} of {second}), \
             or {mover} alone if there are none,"
        )
    }
}

/// Takes `from = "hand"` out of a `[[move]]`.
pub(super) fn take_from_hand<'a>(keys: &mut Keys<'a>) -> Option<Item<'a>> {
    keys.get("from").filter(|item| item.as_text() == Some(FROM_HAND))?;
    keys.take("from")
}

/// What the modes need to know of a `[[move]]`.
struct Table {
    side: Option<u16>,
    from_hand: bool,
    in_hand: [RangeInclusive<u32>; 2],
    /// Whether it needs a piece of the mover on the board.
    needs_piece: bool,
    /// Whether the mover may have more pieces afterwards.
    adds_piece: bool,
}

/// Reads `hand`, which makes the modes. `sides` and `modes`, and `moves` and `start`, are those keys of the file.
pub(super) fn read(
    item: Item<'_>,
    [sides, modes]: [Option<Item<'_>>; 2],
    [moves, start]: [Option<Item<'_>>; 2],
    squares: Option<&Squares>,
    values: &Values,
) -> Read<Sides> {
    if let Some(modes) = modes {
        return Err(modes.clash("either `modes` or `hand`, which makes the modes", "both"));
    }
    let Some(sides) = sides else { return Err(item.found("`sides`, the two sides that have pieces,", "none")) };
    if squares.is_some_and(|squares| squares.colours() == 1) {
        return Err(item.found("a [board] with `colours`", "none"));
    }
    let of_sides = turns::read_turns(Some(sides), None, values, None)?;
    let Ok(names) = <[String; 2]>::try_from(of_sides.modes) else { return Err(sides.wrong("the names of two sides")) };
    let mut full = [None; 2];
    for (name, item) in item.any_keys("numbers of pieces")?.rest() {
        let Some(side) = names.iter().position(|side| side == name) else {
            return Err(item.clash(&format!("{} or {} in `hand`", names[0], names[1]), &format!("{name:?}")));
        };
        full[side] = Some(item.number(values, 0..=MAX_CELLS / 2)?);
    }
    let [Some(first), Some(second)] = full else {
        return Err(item.found(format!("a number of pieces for {} and for {}", names[0], names[1]), "only one"));
    };
    let full = [first, second];
    let tables = tables(moves, &names, values);
    let (begins, has_board) = begins(start, &names);
    let comes_from_hand = [0, 1].map(|side| {
        let may_add = |table: &&Table| table.side.is_none_or(|only| only == side) && table.adds_piece;
        !has_board && !tables.iter().any(|table| may_add(&table))
    });
    let mut hand = Hand { full, modes: Vec::new(), comes_from_hand };
    hand.modes = hand.reached(&tables, &begins);
    for (side, name) in names.iter().enumerate() {
        if !hand.modes.iter().any(|holding| holding.left[side] == 0) {
            let expected = format!("[[move]] tables with `from = \"hand\"` by which {name} empties its hand");
            let has_move = tables.iter().any(|it| it.from_hand && it.side.is_none_or(|only| usize::from(only) == side));
            let found = if has_move { "a hand that never empties" } else { "none" };
            return Err(wrong_from(moves, values).unwrap_or_else(|| item.found(expected, found)));
        }
    }
    let count = hand.modes.len();
    item.ensure(
        count <= MOST_MODES,
        format!("so few pieces that there are at most {MOST_MODES} modes"),
        count.to_string(),
    )?;
    let modes: Vec<String> = hand.modes.iter().map(|holding| holding.name(&names)).collect();
    if modes.iter().collect::<BTreeSet<_>>().len() < count {
        return Err(
            sides.found("sides whose names differ from those of the modes, such as x-3-2,", "the name of a mode")
        );
    }
    let owners = hand.modes.iter().map(|holding| holding.side).collect();
    Ok(Sides { turns: Turns::Hand(hand), modes, owners, sides: Some(names) })
}

impl Hand {
    /// The states that moves reach from full hands, with the most pieces in hand first.
    fn reached(&self, tables: &[Table], begins: &[u16]) -> Vec<Holding> {
        let mut open: VecDeque<Holding> = begins.iter().map(|&side| Holding { side, left: self.full }).collect();
        let mut seen = BTreeSet::new();
        while let Some(holding) = open.pop_front() {
            let own = usize::from(holding.side);
            let key = |it: Holding| (u32::MAX - it.left[0] - it.left[1], u32::MAX - it.left[0], it.side);
            if !seen.insert((key(holding), holding)) {
                continue;
            }
            let in_hand = [holding.left[own], holding.left[1 - own]];
            let is_bare = self.comes_from_hand[own] && in_hand[0] == self.full[own];
            let can_be_made = |table: &&Table| {
                table.side.is_none_or(|side| side == holding.side)
                    && (0..2).all(|who| table.in_hand[who].contains(&in_hand[who]))
                    && !(table.needs_piece && is_bare)
            };
            open.extend(tables.iter().filter(can_be_made).filter_map(|table| holding.after(table.from_hand)));
        }
        let mut all: Vec<Holding> = seen.into_iter().map(|(_, holding)| holding).collect();
        // A side that begins comes first, since the first mode is where a game without `[start]` begins.
        all.sort_by_key(|it| (it.left != self.full, it.left == self.full && begins.first() != Some(&it.side)));
        all
    }
}

/// What the modes need to know of each `[[move]]`. Mistakes are noted when the moves are read.
fn tables(item: Option<Item<'_>>, sides: &[String; 2], values: &Values) -> Vec<Table> {
    let all = each::tables(item, "[[move]]", &moves::KEYS, values, &mut Budget::new());
    let table = |each::EachTable { mut keys, values: own, .. }: each::EachTable<'_>| {
        let side = keys.take("side").and_then(|item| item.as_text());
        let side = side.and_then(|name| sides.iter().position(|side| *side == name)).map(|side| side as u16);
        let from_hand = take_from_hand(&mut keys).is_some();
        let in_hand = Amounts::in_hand(&mut keys, own.as_ref().unwrap_or(values), Some(from_hand));
        let in_hand = in_hand.unwrap_or([0..=u32::MAX, 0..=u32::MAX]);
        let moves_piece = keys.has("slide") || keys.has("lifts");
        let shape = keys.take("shape").and_then(|item| item.as_text()).unwrap_or_default();
        let count = |signs: &str| shape.chars().filter(|&sign| signs.contains(sign)).count();
        let adds_piece = match () {
            () if from_hand || moves_piece || keys.has("pass") => false,
            // A count in braces may repeat any sign.
            () => shape.is_empty() || count("XC") > count("L") || count("B") > 0 || shape.contains('{'),
        };
        Table { side, from_hand, in_hand, needs_piece: moves_piece || count("LM") > 0, adds_piece }
    };
    all.into_iter().map(table).collect()
}

/// The first mistake in a `from` of a `[[move]]`, which hides that the move is from the hand.
fn wrong_from(item: Option<Item<'_>>, values: &Values) -> Option<RulesFileError> {
    let all = each::tables(item, "[[move]]", &moves::KEYS, values, &mut Budget::new());
    all.into_iter().find_map(|table| table.keys.get("from")?.word(&["one", "each", FROM_HAND]).err())
}

/// The sides that begin, at least one, and whether the file puts pieces on the board before the first move.
fn begins(start: Option<Item<'_>>, sides: &[String; 2]) -> (Vec<u16>, bool) {
    let Some(item) = start else { return (vec![0], false) };
    let all = if item.is_list() { item.list("").unwrap_or_default() } else { vec![item] };
    let (mut begins, mut has_board) = (Vec::new(), false);
    for mut keys in all.iter().filter_map(|item| item.any_keys("[start]").ok()) {
        has_board |= keys.has("board") || keys.has("filled");
        let side = keys.take("side").and_then(|item| item.as_text());
        begins.push(side.and_then(|name| sides.iter().position(|side| *side == name)).unwrap_or(0) as u16);
    }
    if begins.is_empty() { (vec![0], has_board) } else { (begins, has_board) }
}

#[cfg(test)]
mod tests {
    use crate::rules::Position;
    use crate::{FileGame, Game, Parameters};

    /// A row of four points and `hand`, with these other lines.
    fn row(hand: &str, more: &str) -> FileGame {
        let head = "name = 'g'\nsides = ['x', 'o']\nboard = { row = 4, colours = 'XO' }\n";
        FileGame::read(&format!("{head}hand = {hand}\n{more}"), &Parameters::new()).unwrap()
    }

    const PUT: &str = "[[move]]\nshape = 'X'\nfrom = 'hand'\n";

    #[test]
    fn modes_are_those_that_play_can_reach() {
        let modes = |hand: &str, more: &str| row(hand, more).rules().modes().join(" ");
        let step = "[[move]]\nshape = 'LX'\nturns = true\n";
        assert_eq!(modes("{ x = 2, o = 2 }", &format!("{PUT}{step}")), "x-2-2 o-1-2 x-1-1 o-0-1 x o");
        assert_eq!(modes("{ x = 2, o = 1 }", &format!("{PUT}{step}")), "x-2-1 o-1-1 x-1-0 x o");
        assert_eq!(modes("{ x = 1, o = 1 }", &format!("{PUT}[start]\nside = 'o'\n")), "o-1-1 x-1-0 o");
        // A player may step before all pieces are put, but not without a piece on the board.
        let early = format!("{PUT}{step}in_hand = {{ mover = '0..' }}\n");
        assert_eq!(modes("{ x = 1, o = 2 }", &early), "x-1-2 o-0-2 x-0-1 o-0-1 x o");
    }

    #[test]
    fn a_piece_leaves_the_hand_once_and_moves_follow() {
        let step = "[[move]]\nshape = 'LX'\nturns = true\n";
        let game = row("{ x = 1, o = 1 }", &format!("{PUT}{step}"));
        let after = |text: &str| -> Vec<String> {
            let at: Position = crate::position_of(game.read(text).unwrap().node);
            game.rules().successors(at).map(|it| game.write(it.into())).collect()
        };
        assert_eq!(after(".... x-1-1"), ["X... o-0-1", ".X.. o-0-1", "..X. o-0-1", "...X o-0-1"]);
        assert_eq!(after(".X.. o-0-1"), ["OX.. x", ".XO. x", ".X.O x"]);
        assert_eq!(after(".XO. x"), ["X.O. o"]);
        // No piece is on the board that is still in hand.
        let refusal = |text: &str| game.read(text).map(|_| ()).unwrap_err().to_string();
        assert!(
            refusal("X... x-1-1").contains("at most 0 pieces X on the board in x-1-1"),
            "{}",
            refusal("X... x-1-1")
        );
        let remark = |text: &str| game.remarks(game.read(text).unwrap().node, crate::rules::Outcome::Win);
        assert_eq!(remark("X... o-0-1"), ["o to move; in hand: 0 of x, 1 of o"]);
        assert_eq!(remark(".XO. x"), ["x to move"]);
        let form = "the side to move and the pieces in hand, such as x-1-1 (x to move, 1 in hand of x, 1 of o)";
        let near = "expected pieces in hand as play leaves them, such as o or o-0-1, after the board, found \"o-1-0\"";
        assert!(refusal("X... o-1-0").contains(near), "{}", refusal("X... o-1-0"));
        assert!(refusal(".... x1").contains(form) && refusal("....").contains(form), "{}", refusal("...."));
    }

    #[test]
    fn patterns_that_no_pieces_can_make_yet_are_left_out() {
        let end = "[[end]]\nline = 2\ncompleter = 'wins'\n";
        let game = row("{ x = 2, o = 2 }", &format!("{PUT}{end}"));
        let modes = game.rules().ends().iter().map(|end| game.rules().modes()[usize::from(end.mode.0)].clone());
        let mut modes: Vec<String> = modes.collect();
        modes.dedup();
        modes.sort_unstable();
        modes.dedup();
        assert_eq!(modes, ["o-0-1", "x"]);
    }
}
