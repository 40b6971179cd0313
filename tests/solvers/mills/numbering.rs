//! Numbers of boards: their places in the alphabetical list of all boards with the same numbers of men.

use super::rules::{Board, Men};

/// The numbers of the boards with a number of points.
pub(crate) struct Numbering {
    points: usize,
    /// The most men of a player, plus one.
    width: usize,
    /// The number of ways to put `x` and `o` men on `n` points, at `(n * width + x) * width + o`.
    ways: Vec<u64>,
}

impl Numbering {
    /// For boards with `points` points and up to `most` men of each player.
    pub(crate) fn new(points: usize, most: usize) -> Self {
        let width = most + 1;
        let mut ways = vec![0; (points + 1) * width * width];
        ways[0] = 1;
        for n in 1..=points {
            for (x, o) in (0..width).flat_map(|x| (0..width).map(move |o| (x, o))) {
                let here = (n * width + x) * width + o;
                let before = here - width * width;
                let with_x = if x > 0 { ways[before - width] } else { 0 };
                let with_o = if o > 0 { ways[before - 1] } else { 0 };
                ways[here] = ways[before] + with_x + with_o;
            }
        }
        Self { points, width, ways }
    }

    /// The number of boards with these men.
    pub(crate) fn count(&self, men: Men) -> usize {
        self.ways[self.place(self.points, men)] as usize
    }

    fn place(&self, points: usize, (x, o): Men) -> usize {
        (points * self.width + x) * self.width + o
    }

    /// The number of `board` among the boards with the same men, which are `men`. At each point `.` comes before `O`, and
    /// `O` before `X`.
    pub(crate) fn rank(&self, board: &Board, men: Men) -> usize {
        let mut rank = 0;
        // The place of the number of ways to put the men that are left on the points that are left.
        let mut place = self.place(self.points, men);
        let mut o_left = men.1;
        for &content in board.points() {
            place -= self.width * self.width;
            if content == b'O' {
                rank += self.ways[place];
                place -= 1;
                o_left -= 1;
            } else if content == b'X' {
                rank += self.ways[place] + if o_left > 0 { self.ways[place - 1] } else { 0 };
                place -= self.width;
            }
        }
        rank as usize
    }

    /// The board whose number is `rank`.
    pub(crate) fn board(&self, rank: usize, (mut x, mut o): Men) -> Board {
        let (mut board, mut rank) = (Board::empty(self.points), rank as u64);
        for point in 0..self.points {
            let place = self.place(self.points - point - 1, (x, o));
            let with_free = self.ways[place];
            if rank < with_free {
                continue;
            }
            rank -= with_free;
            let with_o = if o > 0 { self.ways[place - 1] } else { 0 };
            if rank < with_o {
                board = board.with(point, b'O');
                o -= 1;
            } else {
                rank -= with_o;
                board = board.with(point, b'X');
                x -= 1;
            }
        }
        board
    }
}

#[test]
fn each_board_has_its_number() {
    let numbering = Numbering::new(9, 3);
    for men in (0..=3).flat_map(|x| (0..=3).map(move |o| (x, o))) {
        let boards = (0..numbering.count(men)).map(|rank| numbering.board(rank, men));
        let mut texts: Vec<Vec<u8>> = Vec::new();
        for (rank, board) in boards.enumerate() {
            assert_eq!((board.men(b'X'), board.men(b'O'), numbering.rank(&board, men)), (men.0, men.1, rank));
            texts.push(board.points().to_vec());
        }
        assert!(texts.is_sorted_by(|a, b| a < b));
    }
    assert_eq!(numbering.count((3, 3)), 84 * 20);
}
