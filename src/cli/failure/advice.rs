//! Advice in words of the command line.

use tablegen::engine::Advice;

use super::BUILD_AGAIN;
use crate::cli::text::label_names;

/// What helps, in words; `None` if the command line has no words for it.
pub(in crate::cli) fn hint(advice: &[Advice]) -> Option<String> {
    let words: Vec<String> = advice.iter().filter_map(|&advice| words(advice)).collect();
    (!words.is_empty()).then(|| words.join(", or "))
}

fn words(advice: Advice) -> Option<String> {
    let words = match advice {
        // The caller knows how positions of its game are written.
        Advice::Notation | Advice::OtherPath => return None,
        Advice::Solver(name) | Advice::OtherSolver(name) => return Some(format!("use --solver {name}")),
        Advice::Labels(defined) => return Some(format!("use --labels {}", label_names(defined))),
        Advice::ListGames | Advice::Parameters => "see 'tablegen list'",
        Advice::SmallerGame => "choose a smaller game",
        Advice::SmallerBoard => "choose a smaller board",
        Advice::Search => "let 'tablegen probe' search",
        Advice::DenseOrSparse => "use --solver dense or --solver sparse",
        Advice::NoSymmetry => "use --symmetry none",
        Advice::OutcomesAlone => "use --labels outcome",
        Advice::BestKernel => "unset it to use the best kernel",
        Advice::FewerThreads => "set RAYON_NUM_THREADS to a smaller number, or use --threads of 'tablegen build'",
        Advice::MoreThanDefault | Advice::MoreMemory => "allow more with --memory",
        Advice::MoreRoom => "allow more with --memory or 'ulimit -v'",
        Advice::Part => "choose a part with --part",
        Advice::FreeSpace => "free some space",
        Advice::LargerDisk => "choose a folder on a larger disk with --tables",
        Advice::OtherPlace | Advice::Unwritable => "choose another place with -o",
        Advice::OtherFile => "choose another file with -o",
        Advice::Replace => "replace it with --force",
        Advice::MoveAway => "move it away, or replace it with 'tablegen build GAME --force'",
        Advice::NameFolder => "choose a folder with --tables, or a file with -o",
        Advice::OtherScratch => "choose another folder with --scratch",
        Advice::Locks => "choose folders on a file system with locks, with -o and --scratch",
        Advice::Wait => "wait until that build ends",
        Advice::BuildAlone => "run it again when no other process builds this table",
        Advice::StartOver => "start over with --restart",
        Advice::Resume => "finished work is kept; run the same command to resume",
        Advice::SameVersion => "install the same version on all machines",
        Advice::SameFiles => "use files that are the same on all machines",
        Advice::SameKernel => "set TABLEGEN_KERNEL to the same kernel on all machines, or on none",
        Advice::Build => "see 'tablegen build --help'",
        Advice::BuildAgain => BUILD_AGAIN,
        Advice::BuildOver => "rebuild it with 'tablegen build GAME --force'",
        Advice::NameTable => {
            "a table is a *.tb file, and a game is a name from 'tablegen list' or a rules file (*.toml)"
        }
        Advice::ListTables => "see the tables with 'tablegen list'",
        Advice::ListTablesOrBuild => "see the tables with 'tablegen list', or build one, see 'tablegen build --help'",
    };
    Some(words.into())
}
