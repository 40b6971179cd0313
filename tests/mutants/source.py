"""Puts many mutants into one copy of the source, each behind a switch, so that they are compiled once.

cargo-mutants lists mutants; a parser finds the expression, arm or function that each changes. Mutant 17 of `a + b` becomes
`(if ::tablegen_mutant::mutant(17) { a - b } else { a + b })`, and `mutant` finds out which one is active.
"""

import re

import tree_sitter
import tree_sitter_rust

PARSER = tree_sitter.Parser(tree_sitter.Language(tree_sitter_rust.language()))

# The number of the open file that tells a program which mutant is active.
FD = 99
# A crate that all crates with mutants use.
MANIFEST = """[package]
name = "tablegen-mutant"
version.workspace = true
edition.workspace = true
"""
# Many tests start programs with an empty environment, but programs inherit open files. So the name of an open file tells the active mutant,
# `mutant-17`; beside a file `trace`, each mutant that is reached leaves an empty file. The intrinsic lets constant functions ask as well;
# `RUSTC_BOOTSTRAP=tablegen_mutant` allows it.
SWITCH = """//! Which mutant is active.

#![allow(internal_features)]
#![feature(core_intrinsics, const_eval_select)]

/// Whether the mutant of this number is active. No mutant is active while constants are computed.
#[doc(hidden)]
pub const fn mutant(number: usize) -> bool {
    const fn never(_: usize) -> bool {
        false
    }
    fn ask(number: usize) -> bool {
        use std::path::PathBuf;
        use std::sync::LazyLock;
        use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering::Relaxed};
        const UNKNOWN: usize = usize::MAX;
        const NONE: usize = usize::MAX - 1;
        const TRACE: usize = usize::MAX - 2;
        // Programs ask in their innermost loops, so one comparison answers them.
        static ACTIVE: AtomicUsize = AtomicUsize::new(UNKNOWN);
        static FILE: LazyLock<Option<PathBuf>> = LazyLock::new(|| std::fs::read_link("/proc/self/fd/FD").ok());
        #[cold]
        fn find_out() -> usize {
            let name = FILE.as_ref().and_then(|path| path.file_name()?.to_str()).unwrap_or_default();
            let number = || name.strip_prefix("mutant-")?.parse().ok();
            let active = if name == "trace" { TRACE } else { number().unwrap_or(NONE) };
            ACTIVE.store(active, Relaxed);
            active
        }
        #[cold]
        fn trace(number: usize) {
            static REACHED: [AtomicBool; COUNT] = [const { AtomicBool::new(false) }; COUNT];
            if !REACHED[number].load(Relaxed)
                && !REACHED[number].swap(true, Relaxed)
                && let Some(folder) = FILE.as_ref().and_then(|path| path.parent())
            {
                let _ = std::fs::File::create(folder.join(number.to_string()));
            }
        }
        let mut active = ACTIVE.load(Relaxed);
        if active >= TRACE {
            if active == UNKNOWN {
                active = find_out();
            }
            if active == TRACE {
                trace(number);
            }
        }
        active == number
    }
    core::intrinsics::const_eval_select((number,), never, ask)
}
"""


class Unfit(Exception):
    """A mutant that cannot stand behind a switch."""


class Source:
    """A file, and the places where mutants change it."""

    def __init__(self, path):
        self.data = path.read_bytes()
        self.tree = PARSER.parse(self.data)
        self.lines = self.data.split(b"\n")
        # For each range of bytes: the parts of the original, and the parts of each mutant by its number.
        self.places = {}
        # What stands at the beginning of a function, by offset.
        self.heads = {}

    def offset(self, place):
        """The offset of a line and a column, both counted from 1, the column in characters."""
        before = sum(len(line) + 1 for line in self.lines[: place["line"] - 1])
        return before + len(self.lines[place["line"] - 1].decode()[: place["column"] - 1].encode())

    def add(self, number, mutant):
        """Adds a mutant. Raises `Unfit` if it has no switch."""
        begin, end = self.offset(mutant["span"]["start"]), self.offset(mutant["span"]["end"])
        token = self.tree.root_node.descendant_for_byte_range(begin, end)
        if any(node.type in ("const_item", "static_item") for node in ancestors(token)):
            raise Unfit("the value of a constant")
        switch = b"::tablegen_mutant::mutant(%d)" % number
        replacement = re.sub(r"\s*/\*.*?\*/", "", mutant["replacement"]).encode()
        genre = mutant["genre"]
        if genre == "FnValue":
            if b"::std::iter::" in replacement:
                raise Unfit("an opaque type has one type behind it")
            body = next((node for node in ancestors(token) if node.type == "block" and is_body(node) and node.start_byte < begin), None)
            if body is None:
                raise Unfit("no body of a function")
            self.heads.setdefault(body.start_byte + 1, []).append(b" if " + switch + b" { return " + replacement + b"; }")
        elif genre == "BinaryOperator":
            node = next((n for n in ancestors(token) if n.type in ("binary_expression", "compound_assignment_expr")), None)
            operator = node and node.child_by_field_name("operator")
            if operator is None or (operator.start_byte, operator.end_byte) != (begin, end):
                raise Unfit("no operator")
            left, right = node.child_by_field_name("left"), node.child_by_field_name("right")
            self.place(node, number, [span(left), b" " + replacement + b" ", span(right)])
        elif genre == "UnaryOperator":
            node = next((n for n in ancestors(token) if n.type == "unary_expression" and n.start_byte == begin), None)
            if node is None:
                raise Unfit("no operator")
            self.place(node, number, [(end, node.end_byte)])
        elif genre == "MatchArmGuard":
            if b"let " in self.data[begin:end]:
                raise Unfit("a guard with let")
            self.place_range((begin, end), number, [replacement])
        elif genre == "MatchArm":
            arm = next((n for n in ancestors(token) if n.type == "match_arm" and n.start_byte == begin), None)
            if arm is None:
                raise Unfit("no arm")
            pattern = arm.child_by_field_name("pattern")
            guard = pattern.child_by_field_name("condition")
            if guard is None:
                self.heads.setdefault(pattern.end_byte, []).append(b" if !" + switch)
            else:
                self.place_range(span(guard), number, [b"false"])
        else:
            raise Unfit(f"{genre} has no switch")

    def place(self, node, number, parts):
        self.place_range(span(node), number, parts)

    def place_range(self, where, number, parts):
        self.places.setdefault(where, []).append((number, parts))

    def render(self, begin, end, within=None):
        """The text of a range with all switches, except those of the range `within`."""
        inner = [
            where for where in self.places
            if begin <= where[0] and where[1] <= end and where != within and (within is None or inside(where, within))
        ]
        outermost = [where for where in inner if not any(inside(where, other) for other in inner)]
        marks = [(where[0], where[1], where) for where in outermost]
        covered = lambda at: any(where[0] <= at < where[1] for where in outermost)
        marks += [(at, at, None) for at in self.heads if begin <= at < end and not covered(at)]
        text, at = b"", begin
        for first, last, where in sorted(marks, key=lambda mark: mark[:2]):
            text += self.data[at:first]
            text += b"".join(self.heads[first]) if where is None else self.switches(where)
            at = last
        return text + self.data[at:end]

    def switches(self, where):
        """An expression that is the original, or the mutant that is active."""
        text = self.render(*where, within=where)
        for number, parts in self.places[where]:
            # No other mutant is active within an active one, so its parts need no switches. With them, nested operators would grow
            # exponentially.
            mutant = b"".join(part if isinstance(part, bytes) else self.data[slice(*part)] for part in parts)
            text = b"(if ::tablegen_mutant::mutant(%d) { %s } else { %s })" % (number, mutant, text)
        return text


def span(node):
    return (node.start_byte, node.end_byte)


def inside(one, other):
    return one != other and other[0] <= one[0] and one[1] <= other[1]


def ancestors(node):
    while node is not None:
        yield node
        node = node.parent


def is_body(node):
    return node.parent is not None and node.parent.type == "function_item" and node.parent.child_by_field_name("body") == node


def write(origin, tree, mutants, left_out):
    """Writes the mutants into the copy `tree` of `origin`, except those in `left_out`, to which it adds the unfit ones."""
    sources = {path: Source(origin / path) for path in {mutant["file"] for mutant in mutants.values()}}
    for number, mutant in mutants.items():
        if number not in left_out:
            try:
                sources[mutant["file"]].add(number, mutant)
            except Unfit as error:
                left_out[number] = str(error)
    texts = {path: changed.render(0, len(changed.data)) for path, changed in sources.items()}
    switch = SWITCH.replace("COUNT", str(max(mutants, default=0) + 1)).replace("/FD", f"/{FD}")
    texts |= {"crates/mutant/Cargo.toml": MANIFEST.encode(), "crates/mutant/src/lib.rs": switch.encode()}
    for crate in {path.split("/")[1] for path in sources}:
        manifest = (origin / "crates" / crate / "Cargo.toml").read_bytes()
        needed = b'[dependencies]\ntablegen-mutant = { path = "../mutant" }\n'
        texts[f"crates/{crate}/Cargo.toml"] = manifest.replace(b"[dependencies]\n", needed, 1)
    for path, text in texts.items():
        (tree / path).parent.mkdir(parents=True, exist_ok=True)
        # An equal file keeps its time of change, so that nothing is compiled again for it.
        if not (tree / path).exists() or (tree / path).read_bytes() != text:
            (tree / path).write_bytes(text)
