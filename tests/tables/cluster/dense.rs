//! Dense and two-colour tables built by several ranks, slice by slice.

use super::*;

/// A game of 2^20 boards whose scores take two bytes.
fn many_points() -> Box<dyn Game> {
    let set = Parameters::new().with("coins", 20);
    Box::new(FileGame::read(include_str!("../../../docs/examples/coins.toml"), &set).expect("rules"))
}

#[test]
fn dense_tables_by_ranks() {
    let facts = compare(&|| tactics(4, 5), &[1, 2, 3, 4, 8], DENSE);
    let ranks: Vec<_> = facts.iter().map(|facts| facts.expect("by ranks")).collect();
    assert_eq!(ranks.iter().map(|facts| facts.ranks).collect::<Vec<_>>(), [1, 2, 3, 4, 8]);
    assert!(ranks[1..].iter().all(|facts| facts.traffic.slices > 0), "{ranks:?}");
    assert!(ranks.iter().all(|facts| facts.without_folder == 0), "{ranks:?}");
}

/// On one machine, ranks read slices from shared memory; slices are sent only to other machines.
#[test]
fn slices_are_sent_only_to_other_machines() {
    for ranks in [2, 3] {
        let sent = |remote: Vec<usize>| {
            let facts = compare(&|| tactics(4, 5), &[ranks], |job| {
                DENSE(job);
                job.options.labels = LabelSet::OUTCOME;
                job.remote.clone_from(&remote);
            });
            facts[0].expect("by ranks").traffic
        };
        let (none, one, all) = (sent(Vec::new()), sent(vec![1]), sent((0..ranks).collect()));
        assert!(none.slices > 0 && [one.slices, all.slices] == [none.slices; 2], "{none:?} {one:?} {all:?}");
        assert!(all.bytes > all.slice_bytes, "{all:?}");
        assert!(none.bytes < none.slice_bytes && none.bytes < one.bytes, "{none:?} {one:?}");
        assert!(ranks == 2 || one.bytes < all.bytes, "{one:?} {all:?}");
    }
}

/// Rank 0 alone sweeps a board that is smaller than a slice.
#[test]
fn small_boards_by_ranks() {
    for (rows, cols) in [(1, 4), (3, 3), (3, 4)] {
        let facts = compare(&|| tactics(rows, cols), &[1, 2, 3], DENSE);
        assert!(facts.iter().all(Option::is_none), "{facts:?}");
    }
}

#[test]
fn boards_up_to_symmetry_by_ranks() {
    compare(&|| tactics(4, 5), &[2, 3], |job| {
        DENSE(job);
        job.options.symmetry = UseSymmetry::Always;
    });
}

#[test]
fn compressed_tables_by_ranks() {
    compare(&|| tactics(4, 5), &[3], |job| {
        DENSE(job);
        job.options.compress = Compress::Always;
    });
}

#[test]
fn two_colour_tables_by_ranks() {
    compare(&|| Box::new(Mnk::new(3, 4, 4, Play::Normal).expect("a board")), &[1, 2, 3, 8], |job| {
        job.options.method = Some(Method::Coloured);
    });
}

#[test]
fn two_colour_tables_up_to_symmetry_by_ranks() {
    compare(&|| Box::new(Mnk::new(3, 3, 3, Play::Normal).expect("a board")), &[2, 3], |job| {
        job.options.method = Some(Method::Coloured);
        job.options.symmetry = UseSymmetry::Always;
    });
}

#[test]
fn scores_of_two_bytes_by_ranks() {
    assert_eq!(Score::width(many_points().rules()), Width::Sixteen);
    compare(&many_points, &[2, 3], DENSE);
}

#[test]
fn modes_and_rules_files_by_ranks() {
    compare(&|| Box::new(Dominoes::new(5, Play::Normal).expect("a set")), &[2, 4], DENSE);
    compare(&|| Box::new(library::game("domineering", "rows=4 cols=4")), &[3], |job| {
        DENSE(job);
        job.options.labels = LabelSet::OUTCOME.with(LabelKind::Remoteness);
    });
}

/// Rank 0 writes for ranks that cannot see the folder, whether all slices are in files of their own or some are in the
/// folder.
#[test]
fn ranks_that_cannot_see_the_folder() {
    for apart in [vec![1, 2], vec![2]] {
        let facts = compare(&|| tactics(4, 5), &[3], |job| {
            DENSE(job);
            job.apart.clone_from(&apart);
        });
        assert_eq!(facts[0].map(|facts| facts.without_folder), Some(apart.len()));
    }
}

/// Slow ranks delay the build and do not end it.
#[test]
fn slow_ranks_do_not_end_a_build() {
    for delay in [300, 3000] {
        compare(&|| tactics(4, 4), &[2, 3, 5], |job| {
            DENSE(job);
            job.delay = delay;
        });
    }
}

/// A rank that ends without notice ends the build with one error that names the rank. Another number of ranks, or one
/// process, resumes from the checkpoint.
#[test]
fn a_rank_that_dies_is_named_and_the_build_resumes() {
    let board: Make = || tactics(4, 5);
    let mut resumed = 0;
    for (make, number, dying, others) in [
        (board, 20, 1, 4),
        (board, 60, 2, 1),
        (board, 90, 1, 2),
        (board, 80, 0, 3),
        (board, 50, 2, 0),
        (many_points, 60, 1, 2),
        (many_points, 60, 2, 0),
    ] {
        let labels = labels(make().rules());
        let place = Place::new();
        let mut first = Job::new(1, &place.file("one.tb"), labels);
        DENSE(&mut first);
        // Compress in any case: by default, one process would compress slices as it finishes them, and several ranks
        // would not.
        first.options.compress = Compress::Always;
        let expected = build_alone(make(), &first.options);
        let mut job = Job { patience: Duration::from_millis(900), dies: Some((dying, number)), ..first };
        (job.ranks, job.options.output) = (3, Some(place.file("some.tb")));
        let error = build(&make, &job).expect_err("a rank has died").to_string();
        if dying > 0 {
            assert!(error.starts_with(&format!("rank {dying} has sent nothing for")), "{error}");
        }
        assert!(!place.file("some.tb").exists());
        (job.dies, job.patience) = (None, Duration::from_secs(60));
        if others == 0 {
            assert!(build_alone(make(), &job.options) == expected, "one process resumes with other bytes");
        } else {
            job.ranks = others;
            build(&make, &job).expect("the build resumes");
            assert!(
                fs::read(place.file("some.tb")).expect("a table") == expected,
                "{others} ranks resume with other bytes"
            );
        }
        resumed += 1;
    }
    assert_eq!(resumed, 7);
}

/// Ranks with different options do not start, and no rank starts if one has too little memory.
#[test]
fn ranks_with_different_options_do_not_start() {
    let place = Place::new();
    let job = Job::new(3, &place.file("a.tb"), LabelSet::OUTCOME);
    let calls = std::sync::Mutex::new(0);
    let other = || {
        let mut calls = calls.lock().expect("no panic");
        *calls += 1;
        tactics(4, if *calls == 2 { 4 } else { 5 })
    };
    let error = build(&other, &job).expect_err("different games").to_string();
    assert!(error.contains("found other rules"), "{error}");
    let mut job = Job::new(2, &place.file("b.tb"), LabelSet::OUTCOME);
    DENSE(&mut job);
    job.options.memory = Some(1 << 20);
    let error = build(&|| tactics(4, 5), &job).expect_err("too little memory");
    assert_eq!(error.kind(), tablegen::engine::ErrorKind::Resources, "{error}");
    assert!(fs::read_dir(place.0.path()).expect("a folder").next().is_none(), "nothing is left");
}
