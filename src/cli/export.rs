//! `tablegen export`: the labels of a table for other programs.

use std::ffi::OsString;
use std::io::{self, BufWriter, IsTerminal, Write};
use std::path::{Path, PathBuf};

use clap::ValueEnum;
use tablegen::plane::{Layout, Planes};
use tablegen::rules::{Board, Mode, Outcome, Rules};
use tablegen::table::{Reached, Table, verify_bytes, write_atomically};

use super::failure::Failure;
use super::output::Stream;
use super::progress::Progress;
use super::subject::GameOptions;
use super::tables::Places;
use super::{help, interrupt, limits, target};

/// Write a table's labels for other programs, by board number.
///
/// npy: int8 (1 win, 0 draw, -1 loss), shape (modes, 2^cells), for NumPy. csv: mode,board,outcome.
#[derive(clap::Args)]
#[command(after_help = help::export())]
pub(super) struct Args {
    /// Name of a game, see 'tablegen list', or a table file
    #[arg(value_name = "GAME|FILE", value_hint = clap::ValueHint::FilePath)]
    subject: OsString,
    #[command(flatten)]
    options: GameOptions,
    /// What to export; tables hold only the outcome so far
    #[arg(long, value_name = "LABEL", default_value = "outcome")]
    label: Label,
    /// The format
    #[arg(long, value_name = "FORMAT")]
    format: Format,
    /// Write to OUT, - for standard output
    #[arg(short, long, value_name = "OUT", value_hint = clap::ValueHint::FilePath)]
    output: PathBuf,
}

#[derive(Clone, Copy, ValueEnum)]
enum Label {
    /// Win, draw or loss for the player to move
    Outcome,
    /// Plies to the end
    Remoteness,
    /// Grundy value
    Nimber,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Format {
    /// NumPy's array format
    Npy,
    /// A line a position, with a heading
    Csv,
}

pub(super) fn run(args: &Args, places: &Places) -> Result<(), Failure> {
    let found = places.open(&args.subject, &args.options)?;
    let table = &found.table;
    let label = match args.label {
        Label::Outcome => None,
        Label::Remoteness => Some("remoteness"),
        Label::Nimber => Some("nimber"),
    };
    if let Some(label) = label {
        let message = format!("{}: this table holds outcome, found no {label} in it", found.source());
        return Err(Failure::usage(message).hint("export it with --label outcome"));
    }
    if table.reached().is_some() && args.format == Format::Npy {
        let message = "a table of every position is expected for npy, found one of those that play can reach";
        return Err(Failure::usage(format!("{}: {message}", found.source())).hint("export it with --format csv"));
    }
    // No line may come from a byte that changed.
    limits::start_threads()?;
    verify_bytes(table, &|_| {}).map_err(|finding| {
        Failure::table(format!("{}: {finding}", found.source())).hint("build it again with 'tablegen build'")
    })?;
    let to_stdout = args.output.as_os_str() == "-";
    let write = |out: &mut dyn Write| {
        // A bar would stand between the lines of a terminal that shows both.
        let seen = !(to_stdout && io::stdout().is_terminal());
        let rules = table.rules();
        let progress = seen.then(|| Progress::new(&rules.name(), "positions", table.counts().total()));
        let told = |positions| progress.iter().for_each(|progress| progress.add(positions));
        match (table.planes(), table.reached(), args.format) {
            (Some((planes, layout)), _, Format::Npy) => {
                write_npy(rules, out, &|take| in_order(rules, planes, layout, &told, take))
            }
            (Some((planes, layout)), _, Format::Csv) => {
                write_csv(rules, out, &|take| in_order(rules, planes, layout, &told, take))
            }
            (None, reached, _) => {
                write_csv(rules, out, &|take| reached.map_or(Ok(()), |reached| as_stored(reached, &told, take)))
            }
        }
    };
    if to_stdout {
        return Stream::new().with(write);
    }
    write_file(args, table, &args.output, write)
}

fn write_file(
    args: &Args,
    table: &Table,
    path: &Path,
    write: impl FnOnce(&mut dyn Write) -> io::Result<()>,
) -> Result<(), Failure> {
    target::check_place(path)?;
    let path = &target::resolve(path);
    target::remove_abandoned(target::folder_of(path));
    let positions = table.counts().total();
    // The least that is needed; a line of text has a mode, a number and a word.
    let least = match args.format {
        Format::Npy => positions,
        Format::Csv => positions.saturating_mul(8),
    };
    limits::check_room(target::folder_of(path), least)?;
    target::prepare_folder(path, false)?;
    interrupt::handle();
    let whole = |temporary: Box<dyn FnOnce(&Path)>| {
        write_atomically(path, temporary, |file| {
            let mut out = BufWriter::with_capacity(1 << 20, file);
            write(&mut out)?;
            out.flush()
        })
    };
    interrupt::guarding(whole).map_err(|e| Failure::writing(&path.display().to_string(), &e))
}

/// The bytes that an array of NumPy begins with (format version 1.0).
fn npy_header(modes: usize, boards: u64) -> Vec<u8> {
    let mut text = format!("{{'descr': '|i1', 'fortran_order': False, 'shape': ({modes}, {boards}), }}");
    // Magic, version and length take ten bytes; the data begins at a multiple of 64, behind a line end.
    let padded = (10 + text.len() + 1).next_multiple_of(64) - 10;
    text.push_str(&" ".repeat(padded - 1 - text.len()));
    text.push('\n');
    let mut header = b"\x93NUMPY\x01\x00".to_vec();
    header.extend((text.len() as u16).to_le_bytes());
    header.extend(text.as_bytes());
    header
}

fn write_npy(rules: &Rules, out: &mut dyn Write, each: &Each<'_>) -> io::Result<()> {
    out.write_all(&npy_header(rules.modes().len(), 1 << rules.cells()))?;
    let mut bytes = Vec::with_capacity(PIECE as usize);
    each(&mut |_, _, outcomes| {
        bytes.clear();
        bytes.extend(outcomes.iter().map(|outcome| match outcome {
            Outcome::Win => 1i8 as u8,
            Outcome::Draw => 0,
            Outcome::Loss => -1i8 as u8,
        }));
        out.write_all(&bytes)
    })
}

fn write_csv(rules: &Rules, out: &mut dyn Write, each: &Each<'_>) -> io::Result<()> {
    out.write_all(b"mode,board,outcome\n")?;
    each(&mut |mode, first, outcomes| {
        // The names of modes hold no commas, quotes or line ends: validation sees to it.
        let name = rules.modes().get(usize::from(mode.0)).map_or("", String::as_str);
        let mut lines = String::with_capacity(outcomes.len() * 16);
        for (board, outcome) in (first..).zip(outcomes) {
            use std::fmt::Write;
            let _ = writeln!(lines, "{name},{board},{outcome}");
        }
        out.write_all(lines.as_bytes())
    })
}

/// Takes outcomes in order: their mode, the number of the first board and what follows.
type Take<'a> = dyn FnMut(Mode, u64, &[Outcome]) -> io::Result<()> + 'a;
/// Hands every outcome on.
type Each<'a> = dyn Fn(&mut Take<'_>) -> io::Result<()> + 'a;

/// Hands `take` every position that a table of reached ones holds, the fewest filled cells first.
fn as_stored(reached: Reached<'_>, told: &dyn Fn(u64), take: &mut Take<'_>) -> io::Result<()> {
    for found in reached.positions() {
        let (position, outcome) = found.map_err(io::Error::other)?;
        take(position.mode, position.board.0, &[outcome])?;
        told(1);
    }
    Ok(())
}

/// Positions that are handed on at a time.
const PIECE: u64 = 1 << 16;

/// Hands `take` every outcome, mode by mode and by board number: the mode, the first board and what follows.
fn in_order(
    rules: &Rules,
    planes: Planes<'_>,
    layout: &Layout,
    told: &dyn Fn(u64),
    take: &mut Take<'_>,
) -> io::Result<()> {
    let boards = 1u64 << rules.cells();
    let mut outcomes = Vec::with_capacity(PIECE.min(boards) as usize);
    for mode in (0..rules.modes().len() as u16).map(Mode) {
        for first in (0..boards).step_by(PIECE as usize) {
            outcomes.clear();
            for board in first..boards.min(first + PIECE) {
                let outcome = planes.outcome(mode, layout.index(Board(board)));
                outcomes.push(outcome.map_err(io::Error::other)?);
            }
            take(mode, first, &outcomes)?;
            told(outcomes.len() as u64);
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::npy_header;

    #[test]
    fn headers_of_arrays_are_whole_lines_of_64_bytes() {
        for (modes, boards) in [(1, 2), (7, 1 << 28), (4096, 1 << 40)] {
            let header = npy_header(modes, boards);
            let text = &header[10..];
            assert!(header.len().is_multiple_of(64) && text.ends_with(b"\n"));
            assert_eq!(usize::from(u16::from_le_bytes([header[8], header[9]])), text.len());
        }
    }
}
