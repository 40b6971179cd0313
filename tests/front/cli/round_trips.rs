//! Output of one command that another reads: positions and numbers of an export, names of tables, rules of a table.

use std::fs;

use serde_json::Value;

use super::Home;

/// The fields of a line of CSV.
fn fields(line: &str) -> Vec<String> {
    let (mut fields, mut quoted) = (vec![String::new()], false);
    for character in line.chars() {
        match character {
            '"' => quoted = !quoted,
            ',' if !quoted => fields.push(String::new()),
            character => fields.last_mut().unwrap().push(character),
        }
    }
    fields
}

/// A home with the lists and graphs that games need.
fn home() -> Home {
    let home = Home::new();
    fs::write(home.path("easy.txt"), include_str!("../../data/shiritori/easy.txt")).unwrap();
    fs::write(home.path("graph.txt"), "a b\nb c 1:2\nc a 7\nc d\n").unwrap();
    home
}

/// Reads every exported position again, by its text and by its number, and compares its label with the export.
#[test]
fn exported_positions_can_be_probed() {
    let home = home();
    let games: &[(&[&str], usize)] = &[
        (&["tactics", "--rows", "2", "--cols", "3"], 64),
        (&["tactics", "--rows", "1", "--cols", "5"], 32),
        (&["dominoes", "--n", "3"], 99),
        (&["shiritori", "--words", "easy.txt"], 44_141),
        (&["tictactoe"], 5478),
        // The table holds every pair of planes, few of which are positions.
        (&["mnk", "--rows", "2", "--cols", "2", "--k", "2", "--solver", "dense"], 29),
        (&["kalah", "--houses", "2", "--seeds", "3"], 160),
        (&["trail", "--graph", "graph.txt"], 27),
        (&["domineering", "--set", "rows=2", "--set", "cols=3"], 18),
        (&["col", "--set", "rows=1", "--set", "cols=4", "--solver", "dense"], 50),
        (&["kayles"], 1 << 12),
    ];
    for (game, expected) in games {
        home.run(&[&["build", "-o", "it.tb", "--force"], *game].concat());
        let csv = home.run(&["export", "it.tb", "--format", "csv", "-o", "-"]);
        let mut lines = csv.lines();
        assert_eq!(lines.next(), Some("mode,board,position,outcome"));
        let lines: Vec<Vec<String>> = lines.map(fields).filter(|fields| !fields[2].is_empty()).collect();
        assert!(lines.iter().all(|fields| fields.len() == 4), "{game:?}");
        if *expected != 1 << 12 {
            assert_eq!(lines.len(), *expected, "{game:?}");
        }
        let outcomes: Vec<&str> = lines.iter().map(|fields| fields[3].as_str()).collect();
        let texts: String = lines.iter().map(|fields| format!("{}\n", fields[2])).collect();
        let numbers: String = lines.iter().map(|fields| format!("{}:{}\n", fields[0], fields[1])).collect();
        for input in [texts, numbers] {
            let ran = home.feed(&["probe", "it.tb", "--batch", "--brief"], input.as_bytes());
            assert_eq!((ran.status, ran.stderr.as_str()), (0, ""), "{game:?}: {}", ran.stdout);
            assert!(ran.stdout.lines().eq(outcomes.iter().copied()), "{game:?}");
        }
    }
}

/// A brief batch looks up only the position itself, while JSON looks up every move. The outcomes and their order are
/// the same.
#[test]
fn brief_answers_of_a_batch_equal_full_ones() {
    let home = home();
    fs::write(
        home.path("pairs.toml"),
        "name = \"pairs\"\nboard = { rows = 2, cols = 3 }\nmove = [{ shape = \"XX\" }]\n",
    )
    .unwrap();
    home.run(&["build", "pairs.toml", "--solver", "sparse", "-o", "pairs.tb"]);
    let boards = |step: usize| (0..65_536).step_by(step).map(|board| format!("{board}\n")).collect::<String>();
    // The table of the second game lacks most boards: they are searched.
    for (game, boards) in [
        ("tactics", boards(13)),
        ("pairs.tb", (0..64).map(|board| format!("{board}\n")).collect()),
        ("dominoes", "\n{} 3\n0-1\n".into()),
    ] {
        let game = if game == "dominoes" { vec![game, "--n", "5"] } else { vec![game] };
        let batch =
            |how: &[&str]| home.feed(&[&["probe", "--batch"], &game[..], how].concat(), boards.as_bytes()).stdout;
        let (slow, brief, plain) = (batch(&["--json"]), batch(&["--brief"]), batch(&[]));
        assert_eq!(slow.lines().count(), boards.lines().count());
        for ((slow, brief), plain) in slow.lines().zip(brief.lines()).zip(plain.lines()) {
            let slow: Value = serde_json::from_str(slow).unwrap();
            let (position, outcome) = (slow["position"].as_str().unwrap(), slow["outcome"].as_str().unwrap());
            assert_eq!((brief, plain), (outcome, format!("{position}\t{outcome}").as_str()));
        }
    }
}
