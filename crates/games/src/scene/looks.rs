//! The looks of a board: its surface, its pieces and their colours. The rules do not depend on them.

words! {
    /// The surface of a board.
    Surface {
        /// Each place in its own shape.
        Squares = "squares",
        /// Light and dark squares in turn.
        Checkers = "checkers",
        /// Points, which the lines of the scene join.
        Points = "points",
        /// Lines between dots, around areas that can have an owner.
        Dots = "dots",
        /// A rack with a slot for each column, into which pieces fall.
        Rack = "rack",
    }
}

words! {
    /// The picture of a piece.
    Piece {
        /// A filled square. The squares of one move are joined, as in a domino.
        Blocks = "blocks",
        /// A disc.
        Discs = "discs",
        /// A cross for the letter X, a ring for O, and otherwise the letter.
        Signs = "signs",
        /// A disc with the letter of its colour.
        Letters = "letters",
        /// A queen of chess.
        Queens = "queens",
        /// A king of chess.
        Kings = "kings",
        /// A knight of chess.
        Knights = "knights",
        /// A pawn of chess.
        Pawns = "pawns",
        /// A car that points to the right for the first side, and up for the second side.
        Cars = "cars",
        /// An arrow that blocks its square.
        Arrows = "arrows",
        /// Nothing: free squares have a counter, which a move takes away.
        Gone = "gone",
        /// Nothing: free squares have an upright domino in their colour, which a move topples.
        Toppled = "toppled",
    }
}

words! {
    /// The colour of a side or of a place.
    Colour {
        /// The colour of text.
        Plain = "plain",
        /// White.
        White = "white",
        /// Black.
        Black = "black",
        /// Red.
        Red = "red",
        /// Blue.
        Blue = "blue",
        /// Yellow.
        Yellow = "yellow",
        /// Green.
        Green = "green",
        /// Orange.
        Orange = "orange",
        /// Purple.
        Purple = "purple",
        /// Brown.
        Brown = "brown",
        /// Grey.
        Grey = "grey",
    }
}

words! {
    /// A border of a board.
    Border {
        /// The edge above the first row.
        Top = "top",
        /// The edge below the last row.
        Bottom = "bottom",
        /// The edge before the first column.
        Left = "left",
        /// The edge after the last column.
        Right = "right",
    }
}

/// The looks of a board.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Looks {
    /// The surface.
    pub surface: Surface,
    /// The piece of each colour, and the piece on a place that is filled in both colours.
    pub pieces: [Piece; 3],
    /// The colours of the two sides.
    pub colours: [Colour; 2],
    /// The edges of the board that belong to each side.
    pub borders: [Vec<Border>; 2],
    /// The colour of each place before a piece fills it; empty if no place has a colour of its own.
    pub paint: Vec<Option<Colour>>,
}

impl Looks {
    /// The usual looks of a board whose colours have these `signs`.
    #[must_use]
    pub fn of_signs(signs: &[char]) -> Self {
        let (piece, colours) = match signs {
            [_] => (Piece::Blocks, [Colour::Plain; 2]),
            ['X', 'O'] => (Piece::Signs, [Colour::Plain; 2]),
            _ => (Piece::Discs, [Colour::Black, Colour::White]),
        };
        Self {
            surface: Surface::Squares,
            pieces: [piece, piece, Piece::Arrows],
            colours,
            borders: [Vec::new(), Vec::new()],
            paint: Vec::new(),
        }
    }

    /// Returns whether free places have something that a move takes away, and filled places are empty.
    #[must_use]
    pub fn takes_away(&self) -> bool {
        matches!(self.pieces[0], Piece::Gone | Piece::Toppled)
    }

    /// The colour of the place with this number before a piece fills it, if it has one of its own.
    #[must_use]
    pub fn paint_of(&self, place: usize) -> Option<Colour> {
        self.paint.get(place).copied().flatten()
    }
}

/// The colour that a side has by its name. The literature calls the sides of partisan games left and right, and draws them
/// in blue and red.
#[must_use]
pub fn colour_of_side(name: &str) -> Option<Colour> {
    match name {
        "left" => Some(Colour::Blue),
        "right" => Some(Colour::Red),
        _ => Colour::named(name),
    }
}
