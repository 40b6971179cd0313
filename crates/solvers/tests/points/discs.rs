//! Reversi, which counts discs at the end.

use std::collections::HashMap;

use super::{at, library, score, solved};
use tablegen_games::Game;

/// Reversi on a board of letters: `true` for black, by row and column.
#[derive(Clone, PartialEq, Eq, Hash)]
struct Discs {
    board: Vec<Vec<Option<bool>>>,
    black: bool,
    passed: bool,
}

impl Discs {
    fn new(rows: usize, cols: usize) -> Self {
        let mut board = vec![vec![None; cols]; rows];
        let (row, col) = (rows / 2 - 1, cols / 2 - 1);
        for (row, col, black) in
            [(row, col, false), (row, col + 1, true), (row + 1, col, true), (row + 1, col + 1, false)]
        {
            board[row][col] = Some(black);
        }
        Self { board, black: true, passed: false }
    }

    fn disc(&self, row: isize, col: isize) -> Option<bool> {
        *self.board.get(usize::try_from(row).ok()?)?.get(usize::try_from(col).ok()?)?
    }

    /// The discs that turn over in one direction.
    fn line(&self, (row, col): (isize, isize), (down, right): (isize, isize)) -> Vec<(usize, usize)> {
        let squares = (1..).map(|far| (row + far * down, col + far * right));
        let line: Vec<_> = squares.take_while(|&(row, col)| self.disc(row, col) == Some(!self.black)).collect();
        let beyond = 1 + line.len() as isize;
        let ends = self.disc(row + beyond * down, col + beyond * right) == Some(self.black);
        line.into_iter().filter(|_| ends).map(|(row, col)| (row as usize, col as usize)).collect()
    }

    fn moves(&self) -> Vec<Self> {
        let mut moves = Vec::new();
        for (row, squares) in self.board.iter().enumerate() {
            for col in (0..squares.len()).filter(|&col| squares[col].is_none()) {
                let ways =
                    (-1..=1).flat_map(|down| (-1..=1).map(move |right| (down, right))).filter(|&way| way != (0, 0));
                let turned: Vec<_> = ways.flat_map(|way| self.line((row as isize, col as isize), way)).collect();
                if turned.is_empty() {
                    continue;
                }
                let mut next = Self { black: !self.black, passed: false, board: self.board.clone() };
                for (row, col) in turned.into_iter().chain([(row, col)]) {
                    next.board[row][col] = Some(self.black);
                }
                moves.push(next);
            }
        }
        moves
    }

    /// The most discs that the player to move can have more than the other at the end.
    fn score(&self, known: &mut HashMap<Self, i32>) -> i32 {
        if let Some(&score) = known.get(self) {
            return score;
        }
        let moves = self.moves();
        let score = if let Some(most) = moves.iter().map(|next| -next.score(known)).max() {
            most
        } else if self.passed {
            let count = |black| self.board.iter().flatten().filter(|&&disc| disc == Some(black)).count() as i32;
            count(self.black) - count(!self.black)
        } else {
            -Self { black: !self.black, passed: true, board: self.board.clone() }.score(known)
        };
        known.insert(self.clone(), score);
        score
    }

    fn text(&self) -> String {
        let sign = |disc: &Option<bool>| disc.map_or('.', |black| if black { 'B' } else { 'W' });
        let rows: Vec<String> = self.board.iter().map(|row| row.iter().map(sign).collect()).collect();
        let again = if self.passed { "-again" } else { "" };
        format!("{} {}{again}", rows.join("/"), if self.black { "black" } else { "white" })
    }
}

#[test]
fn reversi_counts_discs() {
    for (rows, cols, start) in [(3, 4, None), (4, 4, Some(-8))] {
        let (game, mut known) = (library("reversi", &format!("rows={rows},cols={cols}")), HashMap::new());
        let found = Discs::new(rows, cols).score(&mut known);
        assert!(start.is_none_or(|start| start == found), "{found}");
        let solution = solved(game.rules());
        for (position, &expected) in &known {
            let text = position.text();
            assert_eq!(score(&solution, at(&game, &text)), expected, "{text}");
        }
        assert!(known.len() > 400 && known.len() as u64 == solution.count(), "{} {}", known.len(), solution.count());
    }
}
