//! The text of a file in TOML, table by table.

use std::collections::BTreeSet;

use super::file::{
    Act, Along, Area, At, COLOURS, Cell, CellsAs, Drawing, EndTable, File, Frame, Layout, MoveTable, Neighbours,
};
use super::file::{Numbers, Part, Pattern, SIDES, Span, Squares, Start, Turns, Verdict, mode_name};
use tablegen::rules::Outcome;

/// The keys of a table with their values in TOML.
pub(super) type Entries = Vec<(&'static str, String)>;

fn text(text: &str) -> String {
    format!("\"{}\"", text.replace('\n', "\\n"))
}

fn list(items: impl IntoIterator<Item = String>) -> String {
    format!("[{}]", items.into_iter().collect::<Vec<_>>().join(", "))
}

fn drawing(rows: &[Vec<char>]) -> String {
    text(&rows.iter().map(|row| row.iter().collect::<String>()).collect::<Vec<_>>().join("\n"))
}

/// A shape, with runs of a sign written as a count.
fn shape(rows: &[Vec<char>]) -> String {
    let row = |(number, row): (usize, &Vec<char>)| -> String {
        let runs = row.chunk_by(|a, b| a == b);
        let run = |run: &[char]| match run.len() {
            1 => run[0].to_string(),
            2 => format!("{}{{k}}", run[0]),
            length if number % 2 == 0 => format!("{}{{k + {}}}", run[0], length as i32 - PARAMETER),
            length => format!("{}{{{length}}}", run[0]),
        };
        runs.map(run).collect()
    };
    text(&rows.iter().enumerate().map(row).collect::<Vec<_>>().join("\n"))
}

fn span([least, most]: Span) -> String {
    if least == most { least.to_string() } else { format!("[{least}, {most}]") }
}

/// The value of the parameter `k`, which every file has.
const PARAMETER: i32 = 2;

fn numbers(numbers: &Numbers) -> String {
    match numbers {
        Numbers::One(number) => number.to_string(),
        Numbers::Formula(number) => format!("\"{} - k\"", number + PARAMETER),
        Numbers::List(all) => list(all.iter().map(i32::to_string)),
        Numbers::Range(first, last, 1) => format!("\"{first}..{last}\""),
        Numbers::Range(first, last, step) => format!("\"{first}..{last} by {step}\""),
    }
}

const fn outcome(outcome: Outcome, names: [&'static str; 3]) -> &'static str {
    names[match outcome {
        Outcome::Win => 0,
        Outcome::Loss => 1,
        Outcome::Draw => 2,
    }]
}

impl Squares {
    /// The name of a square.
    pub(super) fn name(&self, (row, col): At) -> String {
        let letter = |first: u8| char::from(first + u8::try_from(col).expect("a small board"));
        if matches!(self.layout, Layout::Graph(_)) {
            letter(b'q').into()
        } else {
            format!("{}{}", letter(b'a'), row + 1)
        }
    }

    fn drawn(&self, sign: impl Fn(At) -> char) -> Drawing {
        let row = |(row, squares): (i32, &Vec<bool>)| {
            (0..).zip(squares).map(|(col, &is_square)| if is_square { sign((row, col)) } else { '#' }).collect()
        };
        (0..).zip(&self.rows).map(row).collect()
    }

    fn entries(&self, two_colours: bool) -> Entries {
        let (rows, cols) = (self.rows.len().to_string(), self.rows[0].len().to_string());
        let mut entries = match &self.layout {
            Layout::Grid => vec![("rows", rows), ("cols", cols)],
            Layout::Holes => {
                let squares =
                    (0..).zip(&self.rows).flat_map(|(row, all)| (0..).zip(all).map(move |(col, &it)| (row, col, it)));
                let holes = squares.filter(|square| !square.2).map(|(row, col, _)| text(&self.name((row, col))));
                vec![("rows", rows), ("cols", cols), ("holes", list(holes))]
            }
            Layout::Row | Layout::Between(_) => vec![("row", cols)],
            Layout::Lengths => {
                vec![("lengths", list(self.rows.iter().map(|row| row.iter().filter(|&&it| it).count().to_string())))]
            }
            Layout::Drawn => vec![("drawn", drawing(&self.drawn(|_| '.')))],
            Layout::Graph(edges) => {
                let edge = |line: &Vec<i32>| {
                    text(&line.iter().map(|&vertex| self.name((0, vertex))).collect::<Vec<_>>().join(" "))
                };
                let vertices = (0..self.rows[0].len() as i32).map(|col| text(&self.name((0, col))));
                vec![("edges", list(edges.iter().map(edge))), ("vertices", list(vertices))]
            }
        };
        if let Layout::Between(points) = &self.layout {
            entries.push(("between", list(points.iter().map(|[a, b]| text(&format!("{a} {b}"))))));
        }
        if self.hexagons {
            entries.push(("tiling", text("hexagons")));
        }
        if two_colours {
            entries.push(("colours", text(&COLOURS.iter().collect::<String>())));
        }
        entries
    }

    fn area(&self, area: &Area) -> String {
        match area {
            Area::Dark => text("dark"),
            Area::Light => text("light"),
            Area::List(squares) => list(squares.iter().map(|&at| text(&self.name(at)))),
            Area::Table(rows, cols) => {
                let part = |key, part: &Option<Numbers>| part.as_ref().map(|it| format!("{key} = {}", numbers(it)));
                let parts: Vec<String> = [part("rows", rows), part("cols", cols)].into_iter().flatten().collect();
                format!("{{ {} }}", parts.join(", "))
            }
            Area::Drawing(squares) => drawing(&self.drawn(|at| if squares.contains(&at) { 'X' } else { '.' })),
        }
    }

    fn cells(&self, cells: &[Cell], two_colours: bool, written: CellsAs) -> String {
        let squares = self.all();
        let number = |&(colour, at): &Cell| {
            let square = squares.iter().position(|&it| it == at).expect("a square");
            square + if two_colours && colour == COLOURS[1] { squares.len() } else { 0 }
        };
        let colour = |colour: char| if two_colours { format!("{colour}:") } else { String::new() };
        let sign = |at: At| match COLOURS.map(|colour| cells.contains(&(colour, at))) {
            [true, true] => '*',
            [true, false] => COLOURS[0],
            [false, true] => COLOURS[1],
            [false, false] => '.',
        };
        match written {
            CellsAs::Names => list(cells.iter().map(|&(of, at)| text(&(colour(of) + &self.name(at))))),
            CellsAs::Numbers => list(cells.iter().map(|cell| number(cell).to_string())),
            CellsAs::Rows => {
                let rows: Vec<String> = self.drawn(sign).iter().map(|row| row.iter().collect()).collect();
                text(&rows.join("/"))
            }
            CellsAs::Board => {
                let last = squares.len() * if two_colours { 2 } else { 1 } - 1;
                let filled: BTreeSet<usize> = cells.iter().map(number).collect();
                format!("0x{:x}", filled.into_iter().map(|cell| 1u64 << (last - cell)).sum::<u64>())
            }
        }
    }

    fn frame(&self, frame: &Frame) -> Entries {
        let mut entries = Vec::new();
        if frame.turns {
            entries.push(("turns", "true".to_owned()));
        }
        entries.extend(frame.flips.map(|flips| ("flips", flips.to_owned())));
        entries.extend(frame.along.as_ref().map(|along| {
            let word = |along: &Along| match along {
                Along::Rows => text("rows"),
                Along::Columns => text("columns"),
                Along::Diagonals => text("diagonals"),
                Along::Step(rows, cols) => format!("[{rows}, {cols}]"),
            };
            ("along", list(along.iter().map(word)))
        }));
        let limits = &frame.limits;
        entries.extend(limits.on.as_ref().map(|area| ("on", self.area(area))));
        entries.extend(limits.first_on.as_ref().map(|area| ("first_on", self.area(area))));
        entries.extend(limits.rows.as_ref().map(|it| ("rows", numbers(it))));
        entries.extend(limits.cols.as_ref().map(|it| ("cols", numbers(it))));
        if let Some((values, of_rows)) = &limits.each {
            entries.push(("each", format!("{{ n = {} }}", numbers(values))));
            entries.push((if *of_rows { "rows" } else { "cols" }, text("n")));
        }
        entries
    }

    fn pattern(&self, pattern: &Pattern) -> (&'static str, String) {
        let part = |part: &Part| match part {
            Part::Named(name) => text(name),
            Part::Area(area) => self.area(area),
        };
        match pattern {
            Pattern::Shape(shape) => ("shape", drawing(shape)),
            Pattern::Line(lengths) => ("line", span(*lengths)),
            Pattern::Squares(area) => ("squares", self.area(area)),
            Pattern::Connects(parts) => ("connects", list(parts.iter().map(part))),
            Pattern::Surrounded => ("surrounded", "true".into()),
            Pattern::Full(cells) => {
                let cell = |&(colour, at): &(Option<char>, At)| {
                    text(&(colour.map_or(String::new(), |colour| format!("{colour}:")) + &self.name(at)))
                };
                ("full", list(cells.iter().map(cell)))
            }
            Pattern::Stuck => ("stuck", "true".into()),
        }
    }
}

impl File {
    fn of_move(&self, table: &MoveTable) -> Entries {
        let cells = |cells: &[Cell]| self.squares.cells(cells, self.two_colours, self.cells);
        let mut entries = match &table.act {
            Act::Shape(drawing) => vec![("shape", shape(drawing))],
            Act::Line(lengths) => vec![("line", span(*lengths))],
            Act::Slide(lengths, false) => vec![("slide", span(*lengths))],
            Act::Slide(lengths, true) => vec![("slide", span(*lengths)), ("furthest", "true".into())],
            Act::Shoot(lengths) => vec![("shoot", span(*lengths))],
            Act::Push(lengths, true) => vec![("push", span(*lengths))],
            Act::Push(lengths, false) => vec![("push", span(*lengths)), ("enters", "false".into())],
            Act::Outflanks => vec![("outflanks", "true".into())],
            Act::Lifts(drawing) => vec![("lifts", shape(drawing))],
            Act::Take(numbers, each) => {
                let from = each.then(|| ("from", text("each")));
                let is_range = numbers.len() > 1 && numbers.windows(2).all(|pair| pair[1] == pair[0] + 1);
                let range = || text(&format!("{}..{}", numbers[0], numbers[numbers.len() - 1]));
                let written = if is_range { range() } else { list(numbers.iter().map(i32::to_string)) };
                [("take", written)].into_iter().chain(from).collect()
            }
            Act::Cells { fills, clears, empty, full } => {
                let given = [("fills", fills), ("clears", clears), ("full", full)].into_iter();
                let given = given.filter(|(_, all)| !all.is_empty()).map(|(key, all)| (key, cells(all)));
                given.chain(empty.as_ref().map(|all| ("empty", cells(all)))).collect()
            }
            Act::Pass { empty, full } => {
                let given = [("empty", empty), ("full", full)].into_iter().filter(|(_, all)| !all.is_empty());
                [("pass", "true".into())].into_iter().chain(given.map(|(key, all)| (key, cells(all)))).collect()
            }
        };
        entries.extend(self.squares.frame(&table.frame));
        entries.extend(table.neighbours.as_ref().map(|neighbours| match neighbours {
            Neighbours::Sign(sign) => ("neighbours", text(&sign.to_string())),
            Neighbours::Counts(counts) => {
                let count = |(sign, numbers): &(char, Span)| format!("{sign} = {}", span(*numbers));
                ("neighbours", format!("{{ {} }}", counts.iter().map(count).collect::<Vec<_>>().join(", ")))
            }
        }));
        if !table.also.is_empty() {
            entries.push(("also", list(table.also.iter().map(|way| text(way)))));
        }
        entries.extend(table.completes.map(|numbers| ("completes", span(numbers))));
        entries.extend(table.spares.map(|number| ("spares", number.to_string())));
        if !table.rests_on.is_empty() {
            entries.push(("rests_on", list(table.rests_on.iter().map(|point| text(&point.to_string())))));
        }
        if table.otherwise {
            entries.push(("otherwise", "true".into()));
        }
        if table.gains != 0 {
            entries.push(("gains", table.gains.to_string()));
        }
        entries.extend(table.who.side.map(|side| ("side", text(SIDES[side]))));
        if table.who.again {
            entries.push(("again", "true".into()));
        }
        if !table.who.steps.is_empty() {
            let names = |at: usize| list(table.who.steps.iter().map(|step| text(&mode_name(step[at]))));
            entries.extend([("mode", names(0)), ("next", names(1))]);
        }
        entries
    }

    fn of_end(&self, end: &EndTable) -> Entries {
        let mut entries = vec![match &end.pattern {
            // With their colours, cells may be written in any way.
            Pattern::Full(cells) if !self.two_colours || cells.iter().all(|cell| cell.0.is_some()) => {
                let cells: Vec<Cell> = cells.iter().map(|&(colour, at)| (colour.unwrap_or('X'), at)).collect();
                ("full", self.squares.cells(&cells, self.two_colours, self.cells))
            }
            pattern => self.squares.pattern(pattern),
        }];
        entries.extend(end.exactly.then(|| ("exactly", "true".into())));
        entries.extend(self.squares.frame(&end.frame));
        entries.extend(match end.verdict {
            Verdict::Default => None,
            Verdict::Completer(it) => Some(("completer", text(outcome(it, ["wins", "loses", "draws"])))),
            Verdict::ToMove(it) => Some(("outcome", text(it.name()))),
            Verdict::Most => Some(("outcome", text("most"))),
            Verdict::Points(points) => Some(("points", points.to_string())),
        });
        entries.extend(end.of_mover.map(|mover| ("of", text(if mover { "mover" } else { "completer" }))));
        entries.extend(end.side.map(|side| ("side", text(SIDES[side]))));
        if !end.modes.is_empty() {
            entries.push(("mode", list(end.modes.iter().map(|&mode| text(&mode_name(mode))))));
        }
        entries
    }

    fn of_start(&self, start: &Start) -> Entries {
        let rows: Vec<String> = start.board.iter().map(|row| row.iter().collect()).collect();
        let mut entries = vec![("board", text(&rows.join("/")))];
        if start.filled {
            let of = |colour: char| {
                let all =
                    (0..).zip(&start.board).flat_map(|(r, row)| (0..).zip(row).map(move |(c, &sign)| ((r, c), sign)));
                let own = all.filter(move |&(_, sign)| sign == colour || sign == '*');
                let own: Vec<At> = own.map(|square| square.0).collect();
                (!own.is_empty()).then(|| format!("{colour} = {}", self.squares.area(&Area::List(own))))
            };
            let colours: Vec<String> = COLOURS.into_iter().filter_map(of).collect();
            entries = vec![("filled", format!("{{ {} }}", colours.join(", ")))];
        }
        let key = if matches!(self.turns, Turns::Sides | Turns::Swap(_)) { "side" } else { "mode" };
        entries.extend(start.mode.map(|mode| (key, text(&self.turns.key(mode)))));
        entries
    }

    /// Every table: the key under which it stands, and its own keys.
    pub(super) fn tables(&self) -> Vec<(&'static str, Entries)> {
        let mut tables = vec![("board", self.squares.entries(self.two_colours))];
        tables.extend(self.groups.iter().map(|(pattern, frame)| {
            ("group", [vec![self.squares.pattern(pattern)], self.squares.frame(frame)].concat())
        }));
        tables.extend(self.moves.iter().map(|table| ("move", self.of_move(table))));
        tables.extend(self.ends.iter().map(|end| ("end", self.of_end(end))));
        tables.extend(self.starts.iter().map(|start| ("start", self.of_start(start))));
        tables
    }

    pub(super) fn text(&self) -> String {
        let names = |count: usize| list((0..count).map(|mode| text(&self.turns.key(mode))));
        let sides = || list(SIDES.iter().map(|side| text(side)));
        let mut all = format!(
            "name = \"g\"\nparameters = {{ k = {PARAMETER} }}\nplay = {}\n",
            text(outcome(self.play, ["misere", "normal", "draw"]))
        );
        if self.fewest && self.counts_points() {
            all += "aim = \"fewest\"\n";
        }
        match &self.turns {
            Turns::None => {}
            Turns::Sides => all += &format!("sides = {}\n", sides()),
            Turns::Swap(_) => all += &format!("sides = {}\nswap = true\n", sides()),
            Turns::List(count) => all += &format!("modes = {}\n", names(*count)),
            Turns::Table(owners, squares) => {
                let letters = [None, Some('X')].into_iter().take(if squares.is_empty() { 1 } else { 2 });
                let modes = letters
                    .flat_map(|letter| owners.iter().enumerate().map(move |(mode, &side)| ((mode, letter), side)));
                let owner = |(mode, side): ((usize, Option<char>), usize)| {
                    format!("\"{}\" = {}", mode_name(mode), text(SIDES[side]))
                };
                let owners: Vec<String> = modes.map(owner).collect();
                all += &format!("sides = {}\nmodes = {{ {} }}\n", sides(), owners.join(", "));
            }
        }
        for (name, entries) in self.tables() {
            let is_list = !matches!((name, self.starts.len()), ("board", _) | ("start", 1));
            all += &if is_list { format!("[[{name}]]\n") } else { format!("[{name}]\n") };
            entries.iter().for_each(|(key, value)| all += &format!("{key} = {value}\n"));
        }
        all
    }
}
