//! Inputs from which fuzzing begins: sound tables, rules files, positions, values, requests and certificates.

use std::fs;
use std::ops::ControlFlow;
use std::path::Path;

use super::{corpus, table};
use crate::common::{forge, games};
use tablegen::certificate::Certificate;
use tablegen::engine::{self, BuildOptions, Compress, Engine, TableDirs, UseSymmetry};
use tablegen::game::{FAMILIES, Game, LIBRARY, Parameters};
use tablegen::label::{LabelKind, LabelSet};
use tablegen::solve::{Method, Options, solve};
use tablegen::table::{SaveTable, Table};

/// A table: a game, its parameters, a method, and whether it is compressed, up to symmetry and with values.
type Seed = (&'static str, &'static str, Option<Method>, bool, bool, bool);

/// Small tables of every kind.
const TABLES: &[Seed] = &[
    ("tactics", "rows=2,cols=3", None, false, false, false),
    ("tactics", "rows=3,cols=4", Some(Method::Dense), true, true, false),
    ("tactics", "rows=3,cols=3", Some(Method::Sparse), false, true, false),
    ("dominoes", "n=3", None, false, false, false),
    ("tictactoe", "", Some(Method::Coloured), true, false, false),
    ("mnk", "rows=2,cols=3,k=3", Some(Method::Coloured), false, true, false),
    ("mnk", "rows=2,cols=2,k=2", Some(Method::Coloured), false, false, false),
    ("domineering", "rows=2,cols=3", None, false, false, true),
    ("clobber", "rows=2,cols=2", None, false, false, true),
    ("quixo", "size=2", None, false, false, false),
    ("achi", "", None, true, true, false),
    ("treblecross", "squares=4", Some(Method::Sparse), true, false, false),
    ("cram", "rows=2,cols=3", Some(Method::Sparse), true, false, true),
    ("pong-hau-ki", "", Some(Method::Regions), false, true, false),
    ("hare-and-hounds", "", Some(Method::Regions), true, false, false),
];

fn keep(target: &str, name: &str, bytes: &[u8]) {
    let folder = corpus(target);
    fs::create_dir_all(&folder).unwrap();
    fs::write(folder.join(name), bytes).unwrap();
}

fn game(name: &str, parameters: &str) -> Box<dyn Game> {
    engine::game(name, &Parameters::listed(parameters).unwrap_or_default()).unwrap()
}

fn built(&(name, parameters, method, compressed, symmetric, values): &Seed) -> Vec<u8> {
    let folder = tempfile::tempdir().unwrap();
    let (game, path) = (game(name, parameters), folder.path().join("it.tb"));
    let options = BuildOptions {
        output: Some(path.clone()),
        method,
        labels: game.labels(),
        values,
        compress: if compressed { Compress::Always } else { Compress::Never },
        symmetry: if symmetric { UseSymmetry::Always } else { UseSymmetry::Never },
        ..BuildOptions::default()
    };
    Engine::new(TableDirs::none()).plan(game, &options).unwrap().solve(None).unwrap().save(|_| {}, None).unwrap();
    fs::read(path).unwrap()
}

/// The short form of a table.
fn shortened(file: &[u8]) -> Vec<u8> {
    let last = forge::fields(file).into_iter().rfind(|field| field.name != "padding").unwrap().at.end;
    let number = |at: usize, size: usize| {
        file[at..at + size].iter().rev().fold(0, |number, &byte| number << 8 | usize::from(byte))
    };
    let header = &file[table::FIXED..last];
    let mut short = [&(header.len() as u16).to_le_bytes(), header].concat();
    for fields in table::section_fields(file) {
        let (start, bytes) = (number(fields.start, 8), number(fields.bytes, 8));
        let Some(stored) = fields.stored.map(|at| number(at, 8)) else {
            short.extend(&file[start..start + bytes]);
            continue;
        };
        let blocks = bytes.div_ceil(number(fields.block, 4));
        let entries = |block: usize| start + stored + 44 * block;
        let mut order: Vec<(usize, usize)> =
            (0..blocks).map(|block| (number(entries(block), 8), number(entries(block) + 8, 4))).collect();
        order.iter().for_each(|&(_, length)| short.extend((length as u16).to_le_bytes()));
        // The short form has the blocks in the order of their numbers.
        order.drain(..).for_each(|(offset, length)| short.extend(&file[start + offset..start + offset + length]));
    }
    short
}

fn tables() {
    let all = LabelSet::OUTCOME.with(LabelKind::Remoteness);
    let of_motley = |method| {
        let options = Options { labels: all, ..Options::of(method) };
        solve(&games::motley(), &options).unwrap().to_bytes(&tablegen::rules::Descriptor::default())
    };
    let motley = [("motley-dense", Method::Dense), ("motley-sparse", Method::Sparse)];
    let mut files: Vec<(String, Vec<u8>)> =
        motley.into_iter().map(|(name, method)| (name.to_owned(), of_motley(method))).collect();
    for (number, seed) in TABLES.iter().enumerate() {
        files.push((format!("{}-{number}", seed.0), built(seed)));
    }
    for (number, (name, file)) in files.into_iter().enumerate() {
        assert!(Table::from_bytes(file.clone()).is_ok());
        let short = shortened(&file);
        println!("{name}: {} bytes, {} in short", file.len(), short.len());
        assert!(Table::from_bytes(table::expanded(&short)).is_ok(), "{name}");
        let flags = table::SHORT | if number % 2 == 0 { 0 } else { table::BY_BLOCK };
        keep("table", &name, &[&[flags], &short[..]].concat());
        if file.len() < 20_000 && number < 2 {
            keep("table", &format!("{name}-file"), &[&[flags & table::BY_BLOCK], &file[..]].concat());
        }
    }
}

fn certificates() {
    let games = [("tactics", "rows=2,cols=3"), ("dominoes", "n=3"), ("tictactoe", ""), ("kayles", "pins=4")];
    let others = [("quixo", "size=2"), ("chomp", "rows=2,cols=2"), ("achi", ""), ("mnk", "rows=2,cols=2,k=2")];
    for (name, parameters) in games.into_iter().chain(others) {
        let source = Engine::new(TableDirs::none()).source(game(name, parameters), 0).unwrap();
        let table = source.table().unwrap();
        let root = table.rules().start_node();
        let certificate = Certificate::of(table, root, &[], 1 << 20, &|_| ControlFlow::Continue(())).unwrap();
        let mut text = Vec::new();
        certificate.write(&mut text).unwrap();
        keep("certificate", name, &text);
    }
    let source = Engine::new(TableDirs::none()).source(game("dots-and-boxes", "rows=1,cols=1"), 0).unwrap();
    let table = source.table().unwrap();
    let root = table.rules().start_node();
    let certificate = Certificate::of_score(table, root, None, 1 << 20, &|_| ControlFlow::Continue(())).unwrap();
    let mut text = Vec::new();
    certificate.write(&mut text).unwrap();
    keep("certificate", "dots-and-boxes", &text);
}

fn positions() {
    let families = FAMILIES.iter().map(|family| (family.make(&family.samples()).unwrap(), family.example.to_owned()));
    let files = LIBRARY.iter().map(|file| (game(file.name, ""), String::new()));
    for (number, (game, example)) in families.chain(files).enumerate() {
        let mut node = game.rules().start_node();
        for ply in 0..3 {
            let text = game.write(node);
            keep("notation", &format!("{}-{ply}", game.rules().name()), &[&[number as u8], text.as_bytes()].concat());
            let Some(&next) = game.rules().replies(node).get(ply) else { break };
            node = next.into();
        }
        if !example.is_empty() {
            keep("notation", &format!("{number}-example"), &[&[number as u8], example.as_bytes()].concat());
        }
    }
}

const VALUES: &[&str] = &[
    "3",
    "-1/2",
    "*",
    "*2",
    "^",
    "vv",
    "^3",
    "^<2>",
    "^[2]",
    "1^3*2",
    "Tiny(2)",
    "1Miny(2)",
    "{2|-1}",
    "{0,*|}",
    "{2||1|0}",
    "+-1",
    "+-{0,1}",
    "-^ + *2 - (1/4)",
    "2*{1|-1}",
    "*2:^",
    "{3|||2||1|0}",
    "{^|v*}",
];

const REQUESTS: &[&str] = &[
    "GET /api/v1/games",
    "GET /api/v1/tables",
    "GET /api/v1/openapi.json",
    "GET /api/v1/probe?game=tactics&rows=1&cols=3&position=X..\nIf-None-Match: \"1\"",
    "GET /api/v1/probe?game=tactcs",
    "GET /api/v1/line?game=nim&a=1&b=2&c=0",
    "GET /api/v1/stats?game=tictactoe",
    "GET /api/v1/scene?game=hex&rows=2&cols=2&position=start",
    "GET /api/v1/scene?game=dominoes&position=2-1",
    "GET /uwapi/",
    "GET /uwapi/tablegen-tactics/",
    "GET /uwapi/tablegen-tactics/rows=1,cols=2/",
    "GET /uwapi/tablegen-tactics/rows=1,cols=2/positions/?p=1_..",
    "GET /",
    "HEAD /style.css",
    "POST /api/v1/games",
    "GET /api/v1/probe?game=shiritori&position=%00",
];

#[test]
#[ignore = "writes inputs into fuzz/corpus, for a start from nothing"]
fn write_the_seeds() {
    tables();
    certificates();
    positions();
    VALUES.iter().enumerate().for_each(|(number, text)| keep("values", &format!("{number}"), text.as_bytes()));
    REQUESTS.iter().enumerate().for_each(|(number, text)| keep("request", &format!("{number}"), text.as_bytes()));
    let examples = Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/examples");
    for route in ["solve", "line", "check", "scene", "stats"] {
        let text = fs::read_to_string(examples.join("cram.toml")).unwrap();
        let request = format!("POST /api/v1/{route}?rows=2&cols=2\n\n{text}");
        keep(
            "request",
            route,
            request.replace("?rows=2&cols=2", if route == "check" { "" } else { "?rows=2&cols=2" }).as_bytes(),
        );
    }
    for file in LIBRARY {
        keep("rules", &format!("{}.toml", file.name), file.text.as_bytes());
    }
    for chosen in 0..8 {
        for flags in 0..4 {
            keep("checkpoint", &format!("{chosen}-{flags}"), &[chosen, flags, 3, 40, 0, 1, 1]);
        }
    }
}
