//! `tablegen serve`: answers over HTTP, and a web page.

use std::ffi::OsString;
use std::net::{SocketAddr, TcpListener};
use std::num::NonZeroUsize;
use std::time::Duration;

use tablegen::engine::{Access, Meaning};
use tablegen::server::{AllowedOrigin, Catalogue, GameEntry, HostName, Limits, Server, Stop, Visitors};

use super::failure::{Failure, Status};
use super::game_options::GameOptions;
use super::session::Session;
use super::subject::{meaning_of, shown};
use super::{heap, help, interrupt, output, size, text};

/// Serve answers over HTTP, and a web page to explore positions and play.
///
/// By default, the server answers for all games and all tables found; arguments restrict it to the named games and
/// tables. It prints its address and runs until it is interrupted (Ctrl-C, SIGTERM). Then it finishes the current
/// requests.
#[derive(clap::Args)]
#[command(after_help = help::of("serve"))]
pub(super) struct Args {
    /// Games and tables from 'tablegen list', rules files (*.toml), and table files (*.tb) [default: all]
    #[arg(value_name = "GAME|FILE", value_hint = clap::ValueHint::FilePath)]
    subjects: Vec<OsString>,
    /// Listen on this address; port 0 picks a free port
    #[arg(long, value_name = "ADDR", default_value = "127.0.0.1:8686")]
    listen: SocketAddr,
    /// Use at most SIZE of memory to solve games, 2GiB for instance [default: three quarters of the available memory]
    #[arg(long, value_name = "SIZE", allow_negative_numbers = true, value_parser = size::parse)]
    memory: Option<u64>,
    /// Solve at most N games at a time; further requests are refused until one ends
    #[arg(long, value_name = "N", default_value = "2", allow_negative_numbers = true)]
    solves: NonZeroUsize,
    /// Work on one request for at most SECONDS seconds
    #[arg(
        long,
        value_name = "SECONDS",
        default_value_t = 30,
        allow_negative_numbers = true,
        value_parser = clap::value_parser!(u16).range(1..=3600)
    )]
    time: u16,
    /// Let pages of this origin read answers and show the page in a frame; * stands for every origin; may be repeated
    /// [default: none]
    #[arg(long, value_name = "URL|*")]
    allow_origin: Vec<AllowedOrigin>,
    /// Answer under this host name as well, for a proxy or in a local network; may be repeated [default: none]
    #[arg(long, value_name = "NAME")]
    allow_host: Vec<HostName>,
}

/// The least memory with which a game can be solved.
const LEAST_MEMORY: u64 = 16 << 20;

pub(super) fn run(args: &Args, session: &Session) -> Result<(), Failure> {
    if let Some(memory) = args.memory.filter(|&memory| memory < LEAST_MEMORY) {
        let message = format!("--memory: expected at least 16MiB, found {}", text::bytes(memory));
        return Err(Failure::usage(message).hint("give a unit, as in 2GiB"));
    }
    heap::return_large_blocks();
    // Another program may overwrite a table while it is served, which must not end the server. So tables are not
    // mapped.
    let engine = session.solving_engine()?.with_access(Access::BY_BLOCK);
    engine.start_threads()?;
    let catalogue = catalogue(args, session)?;
    session.note_folder();
    let listener = TcpListener::bind(args.listen).map_err(|error| {
        let what = format!("cannot listen on {}: {error}", args.listen);
        Failure::usage(what).hint("choose another address with --listen; port 0 picks a free port")
    })?;
    let address = listener.local_addr().map_err(|error| Failure::new(Status::Resources, error))?;
    let solve_time = Duration::from_secs(args.time.into());
    let limits = Limits { solves: args.solves.get(), solve_time, memory: args.memory, ..Limits::default() };
    let stop = Stop::new();
    let told = stop.clone();
    interrupt::handle_first(move || told.stop());
    output::print(&format!("http://{address}\n"))?;
    let visitors = Visitors { origins: args.allow_origin.clone(), hosts: args.allow_host.clone() };
    let server = Server::new(engine, catalogue, limits).with_visitors(visitors);
    server.run(listener, &stop).map_err(|error| Failure::resources(format!("cannot serve: {error}")))
}

/// The named games and tables, or all of them.
fn catalogue(args: &Args, session: &Session) -> Result<Catalogue, Failure> {
    if args.subjects.is_empty() {
        return Ok(Catalogue::everything());
    }
    let mut catalogue = Catalogue::nothing();
    for subject in &args.subjects {
        match meaning_of(subject) {
            Ok(Meaning::Family(family)) => catalogue.add_game(family.name, GameEntry::Family(family)),
            Ok(Meaning::Bundled(game)) => catalogue.add_game(game.name, GameEntry::Bundled(game)),
            Ok(Meaning::RulesFile(path)) => {
                let game = GameOptions::default().rules_file(subject)?;
                let text = game.text().to_owned();
                let name = path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
                catalogue.add_game(name, GameEntry::RulesFile { text, file: shown(path) });
            }
            Ok(Meaning::Table(_) | Meaning::Part(..)) | Err(_) => {
                let (open, _) = session.open(subject, &Default::default())?;
                catalogue.add_table(open.table.rules().name(), open.table.path().unwrap_or(subject.as_ref()));
            }
        }
    }
    Ok(catalogue)
}
