//! Certificates that are changed so that they prove too much: the checker refuses each.

use super::*;

#[test]
fn certificates_without_an_argument_are_refused() {
    let of = |name| String::from_utf8(of_start(game(name, ""), &Choice::ALL).2).unwrap();
    let dodgem = of("dodgem");
    let unranked: Vec<&str> = dodgem.lines().map(|line| line.strip_suffix(" ranks").unwrap_or(line)).collect();
    let tactics = of("tactics");
    let unweighted: Vec<&str> = tactics.lines().filter(|line| !line.starts_with("weights")).collect();
    let turned = of("hex").replacen("symmetry 1,0 ", "symmetry 0,1 ", 1);
    let cases = [
        (unranked.join("\n"), "expected weights that every move raises, or ranks"),
        (unweighted.join("\n"), "expected weights that every move raises, or ranks"),
        (turned.replacen("symmetry 0,1 8,7", "symmetry 0,1 7,8", 1), "does not keep the rules"),
        (tactics.replace("outcome loss", "outcome win"), "expected \"strategy mover win\""),
        (tactics.replace("end of certificate\n", ""), "expected the end of the certificate"),
        (tactics[..tactics[..3000].rfind('\n').unwrap()].to_owned(), "cut short"),
    ];
    for (text, reason) in cases {
        let error = check((text + "\n").as_bytes(), 1 << 24).unwrap_err();
        assert!(error.contains(reason), "{error}: {reason}");
    }
}

/// The player to move fills cell 2, and with it the line of cells 0 to 2. That takes cell 6, which no guard protects, and without a
/// piece there the other player has lost.
const MILL: &str = "certificate 1\ngame mill\ncells 7\nmodes 2\nstuck 0 loss\nstuck 1 loss\ntake 78 7 38\n\
    move 0 1 4 0 4 0 when 3 2 2 takes 0\nmove 1 0 0 8 0 8\npieces 1 40 0 0 loss\n\
    weights 0,0 1,1,1,-1,-1,-1,-1\nroot 0 7b\noutcome win\nstrategy mover win 1\n1 3f\nend of certificate\n";

#[test]
fn numbers_of_pieces_and_takes_are_checked() {
    let with = |from: &str, to: &str| {
        assert!(MILL.contains(from), "{from}");
        check(MILL.replacen(from, to, 1).as_bytes(), 1 << 24)
    };
    let symmetry = |line: &str| with("weights", &format!("symmetry {line}\nweights"));
    // The symmetry exchanges cells 0 and 1. Without a guard, any piece may be taken.
    assert!(with("win", "win").is_ok() && symmetry("0,1 1,0,2,3,4,5,6").is_ok() && with(" 38\n", " -\n").is_ok());
    // Ends with different outcomes: the symmetry must keep their order.
    let ends = |ends: &str| symmetry(&format!("0,1 1,0,2,3,4,5,6\n{ends}"));
    assert!(ends("pieces 0 3 0 0 win\npieces 0 3 0 1 loss").is_ok());
    let cases = [
        (
            ends("pieces 0 1 0 0 win\npieces 0 2 0 0 loss\npieces 0 2 0 0 win\npieces 0 1 0 0 loss"),
            "does not keep the rules",
        ),
        (with(" 38\n", " 58\n"), "no member follows"),
        (with("take 78 7", "take 78 107"), "cannot read"),
        (with(" takes 0", ""), "no member follows"),
        (with("when 3 2 2", "when 3 0 1"), "the game ends at 0 7b with a Loss"),
        (with("0 0 loss", "0 0 win"), "the game ends"),
        (with("-1,-1,-1\n", "-1,1,-1\n"), "expected weights"),
        // The images of the line, of the guard, and of the cells that are taken differ.
        (symmetry("0,1 0,2,1,3,4,5,6"), "does not keep the rules"),
        (symmetry("0,1 0,1,2,6,4,5,3"), "does not keep the rules"),
        (with("take 78", "take 7c"), "cannot read"),
        (with("takes 0", "takes 1"), "cannot read"),
        (with("takes 0", "takes 0 0"), "cannot read"),
        (with("when 3 2 2", "when 3 2 3"), "cannot read"),
        (with("pieces 1 40 0 0", "pieces 1 40 1 0"), "cannot read"),
        (with("pieces 1 40 0 0", "pieces 2 40 0 0"), "cannot read"),
    ];
    for (number, (found, reason)) in cases.into_iter().enumerate() {
        let error = found.unwrap_err();
        assert!(error.contains(reason), "{number}: {error}: {reason}");
    }
}

/// Each line of rules is read whole, at most once where a second one would replace it, and says what is proved.
#[test]
fn lines_that_a_reader_could_misread_are_refused() {
    let of = |name| String::from_utf8(of_start(game(name, ""), &Choice::ALL).2).unwrap();
    let dodgem = of("dodgem");
    assert!(check(dodgem.as_bytes(), 1 << 24).unwrap().contains(", as the certificate states them"));
    let with = |before: &str, line: &str| dodgem.replacen(&format!("\n{before} "), &format!("\n{line}\n{before} "), 1);
    let (name, _) = dodgem["certificate 1\ngame ".len()..].split_once('\n').unwrap();
    let unreadable = [
        with("move", "stuck 0 loss"),
        with("root", "weights 0,0 1\nweights 0,0 1"),
        with("outcome", "root 0 0"),
        with("outcome", "cells 3"),
        with("outcome", "game chess"),
        with("root", "stuck"),
        with("root", "remark"),
        with("root", "end 0 1 loss, or a win"),
        with("root", "end 0 1 points"),
        with("root", "end 0 1 points x"),
        with("root", "end 0 1 most 1"),
        with("root", "end 0 1 most 1 2 4 8"),
        with("root", "symmetry 0,1 0 1"),
        with("root", "move 0 1 0 1 0 1 sometimes"),
        // The cell is filled again, or was not full.
        with("root", "move 0 1 0 1 1 1"),
        with("root", "move 0 1 0 0 0 1"),
        with("root", "move 0 9 1 0 1 0"),
        with("root", &format!("end 0 {:x} loss", 1u128 << 127)),
    ];
    let cases = unreadable.map(|text| (text, "cannot read")).into_iter().chain([
        (dodgem.replacen("\nmodes ", "\nstuck 0 loss\nmodes ", 1), "expected \"modes ...\""),
        (dodgem.replacen("certificate 1", "certificate 3", 1), "expected version 1 or 2"),
        (dodgem.replacen("certificate 1", "certificate 2", 1), "cannot read \"outcome "),
        (dodgem.replacen("certificate 1\n", "", 1), "expected a certificate, found another text"),
        (dodgem.replacen(name, "tictactoe, as this program states them", 1), "a name without blanks"),
        (dodgem.replacen("stuck 1", "stuck 0", 1), "cannot read"),
        (dodgem.replacen("stuck 1 win\n", "", 1), "not complete"),
        (with("move", "player 0 1"), "not complete"),
        (with("root", "weights 0,0 1"), "not complete"),
        (with("outcome", "choice 0 0"), "both a root and choices"),
        (dodgem.clone() + "outcome win\n", "and nothing after it"),
        (dodgem.clone() + "x", "and nothing after it"),
    ]);
    for (text, reason) in cases {
        assert_ne!(text, dodgem);
        let error = check(text.as_bytes(), 1 << 24).unwrap_err();
        assert!(error.contains(reason), "{error}: {reason}");
    }
}

/// Two players shift a piece to and fro: the weights may not count it as taken.
#[test]
fn endless_play_is_no_win() {
    let text = "certificate 1\ngame shift\ncells 1\nmodes 2\nstuck 0 loss\nstuck 1 loss\nmove 0 1 0 1 1 1\nmove 1 0 0 1 1 1\n\
                weights 0,0 -1\nroot 0 1\noutcome win\nstrategy mover win 1\n1 1\nend of certificate\n";
    assert!(check(text.as_bytes(), 1 << 24).unwrap_err().contains("cannot read \"move 0 1 0 1 1 1\""));
    let filled = text.replace(" 0 1 1 1\n", " 0 1 1 0\n");
    assert!(check(filled.as_bytes(), 1 << 24).unwrap_err().contains("expected weights that every move raises"));
}

/// The checker's own rules are those of a whole name. Then the certificate must state the same rules.
#[test]
fn rules_belong_to_a_whole_name() {
    let of = |game| String::from_utf8(of_start(game, &Choice::ALL).2).unwrap();
    let normal = of(game("connect-four", "rows=3 cols=3 line=2"));
    let misere = {
        let rules = game("connect-four", "rows=3 cols=3 line=2").rules().clone().into_spec();
        let ends = rules.ends.iter().map(|end| End { outcome: Outcome::Win.into(), ..*end }).collect();
        let rules = RulesSpec { name: rules.name.clone() + "-misere", ends, ..rules }.build().unwrap();
        let table = table(&sparse(&rules));
        String::from_utf8(text(&certificate(&table, rules.start_node(), &Choice::ALL))).unwrap()
    };
    let source =
        |text: &str| check(text.as_bytes(), 1 << 24).map(|proved| proved.split_once("; rules: ").unwrap().1.to_owned());
    let (name, other) = ("connect-four-3x3-2", "connect-four-3x3-2-misere");
    assert_eq!(source(&normal).unwrap(), format!("{name}, as this program states them\n"));
    assert_eq!(source(&misere).unwrap(), format!("{other}, as the certificate states them\n"));
    let lines: Vec<&str> = normal.lines().collect();
    let end = lines.iter().position(|line| line.starts_with("outcome")).unwrap();
    // The strategy of one game under the rules of the other.
    let (rules, _) = misere.split_once("outcome").unwrap();
    let forged = rules.to_owned() + &lines[end..].join("\n") + "\n";
    assert!(source(&forged).is_err());
    let renamed = misere.replacen(other, name, 1);
    assert!(source(&renamed).unwrap_err().contains("not those of connect-four-3x3-2, as this program states them"));
    for other in ["tictactoe-misere", "tictactoe-", "xtictactoe", "tictactoe-3x3-k3", "mnk-3x3-3"] {
        let renamed = of(game("tictactoe", "")).replacen("tictactoe", other, 1);
        assert_eq!(source(&renamed).unwrap(), format!("{other}, as the certificate states them\n"));
    }
    let choices = of(game("dominoes", "n=3"));
    assert!(source(&choices.replacen("choice 0 8\n", "", 1)).unwrap_err().contains("not those of dominoes-3-normal"));
}
