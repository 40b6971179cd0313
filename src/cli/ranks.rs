//! Builds by several processes, which `mpirun` or `srun` start.

use std::process::ExitCode;

use super::failure::{Failure, Status};
use super::session::Session;
use super::{Command, build};

/// Pairs of variables in which launchers store the number of processes and the rank of each process. Slurm also sets
/// the number for scripts, which run in one process, so a rank is required.
const LAUNCHERS: [(&str, &str); 4] = [
    ("OMPI_COMM_WORLD_SIZE", "OMPI_COMM_WORLD_RANK"),
    ("PMI_SIZE", "PMI_RANK"),
    ("SLURM_NTASKS", "PMIX_RANK"),
    ("SLURM_NTASKS", "PMI_RANK"),
];

/// The rank of this process, if a launcher has started several.
fn started() -> Option<usize> {
    let number = |name| std::env::var(name).ok()?.parse::<usize>().ok();
    let of = |(size, rank)| number(rank).filter(|_| number(size).is_some_and(|size| size > 1));
    LAUNCHERS.into_iter().find_map(of)
}

/// Runs `command` if a launcher has started several processes; `None` otherwise. A build runs on all processes
/// together. Other commands are refused, since each process would do the same work.
pub(super) fn run(
    command: &Command,
    session: impl FnOnce() -> Result<Session, Failure>,
) -> Option<Result<ExitCode, Failure>> {
    let rank = started()?;
    Some(match command {
        Command::Build(args) => together(args, session, rank),
        _ => refused(
            rank,
            &Failure::usage("several processes were started, and only 'build' runs in several")
                .hint("run this command without mpirun"),
        ),
    })
}

/// The end of a process without work. Rank 0 prints the reason.
fn refused(rank: usize, why: &Failure) -> Result<ExitCode, Failure> {
    Ok(if rank == 0 { why.report() } else { ExitCode::from(Status::Usage as u8) })
}

#[cfg(not(feature = "mpi"))]
fn together(_: &build::Args, _: impl FnOnce() -> Result<Session, Failure>, rank: usize) -> Result<ExitCode, Failure> {
    let why = Failure::usage(
        "several processes were started, and this tablegen was built without MPI: each would build the same table",
    );
    refused(
        rank,
        &why.hint("run one process without mpirun, or install with MPI: cargo install --path . --features mpi"),
    )
}

#[cfg(feature = "mpi")]
fn together(
    args: &build::Args,
    session: impl FnOnce() -> Result<Session, Failure>,
    started: usize,
) -> Result<ExitCode, Failure> {
    use std::sync::Arc;

    use tablegen::cluster::mpi::Mpi;
    use tablegen::cluster::{Cluster, ClusterConfig};
    use tablegen::engine::{BuildOptions, Engine};
    use tablegen::game::Game;

    use super::interrupt;
    use super::output::note;

    let cluster = match Cluster::start(Mpi::join, ClusterConfig::default()) {
        Ok(cluster) => Arc::new(cluster),
        Err(error) => return refused(started, &Failure::resources(format!("MPI does not start: {error}"))),
    };
    let join = |engine: Engine, game: &dyn Game, options: &BuildOptions| engine.joined(&cluster, game, options, note);
    let status = if cluster.size() == 1 {
        // A launcher of another MPI starts processes that do not find each other.
        if started == 0 {
            Failure::usage("several processes were started, and MPI connects only one")
                .hint("use the mpirun of the MPI that tablegen was built with")
                .report();
        }
        Status::Usage as u8
    } else if cluster.rank() == 0 {
        match session().and_then(|session| build::run(args, &session, &join)) {
            Ok(()) => 0,
            Err(failure) => {
                failure.report();
                failure.status()
            }
        }
    } else {
        match session().and_then(|session| build::help(args, &session, &join)) {
            Ok(status) => status,
            Err(failure) => {
                cluster.give_up(failure.status(), &failure.text());
                cluster.wait_for_end().unwrap_or_else(|| {
                    // Rank 0 cannot print it.
                    if cluster.rank() == 1 {
                        failure.report();
                    }
                    failure.status()
                })
            }
        }
    };
    interrupt::over(status);
    cluster.end(status);
    Ok(ExitCode::from(status))
}
