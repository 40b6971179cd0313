//! The labels that a solver computed, in memory, and the domain that they belong to.

use std::time::Duration;

use crate::compressed::Bytes;
use crate::contents::{ByteLabels, Contents, LabelBytes, Sections};
use crate::domain::Domain;
use crate::label::{ByLabel, LabelKind};
use crate::memory::Memory;
use crate::plane::Shape;
use crate::rules::Rules;

/// Labels in memory of their own.
pub enum Buffer {
    /// Pages for a sweep.
    Pages(Memory),
    /// Labels that were appended in order.
    List(Vec<u8>),
}

impl Buffer {
    /// The bytes.
    pub fn bytes(&self) -> &[u8] {
        match self {
            Self::Pages(memory) => memory.bytes(),
            Self::List(bytes) => bytes,
        }
    }
}

impl PartialEq for Buffer {
    fn eq(&self, other: &Self) -> bool {
        self.bytes() == other.bytes()
    }
}

/// Labels of one or two bytes that were added to labels that lacked them.
pub struct Added {
    /// The labels.
    pub columns: ByLabel<Buffer>,
    /// The program that computed them: a kernel of the sweep, `two-colour`, `sparse` or `cyclic`.
    pub program: &'static str,
    /// The time spent on labelling.
    pub solve_time: Duration,
}

impl Added {
    /// No labels.
    pub fn none() -> Self {
        Self { columns: ByLabel::NONE, program: "nothing", solve_time: Duration::ZERO }
    }

    /// The labels, which belong to `rules`.
    pub fn bytes(&self, rules: &Rules) -> ByteLabels<'_> {
        ByteLabels::new(|kind| {
            let column = self.columns.of(kind)?;
            Some(LabelBytes::new(column.bytes(), kind.width(rules), kind.places(rules)))
        })
    }
}

/// The labels that a solver computed, and how.
pub struct Labelled {
    /// The positions that have labels.
    pub domain: Domain,
    /// The keys of a sparse domain; empty for any other.
    pub keys: Vec<u8>,
    /// The outcomes.
    pub outcomes: Buffer,
    /// The reachability bits, if the domain has them.
    pub reached: Option<Memory>,
    /// The other labels.
    pub others: ByLabel<Buffer>,
    /// The program that labelled: a kernel of the sweep, `scalar`, `sparse` or `cyclic`.
    pub program: &'static str,
    /// The time spent on labelling, without choosing a layout or allocating memory.
    pub solve_time: Duration,
}

impl Labelled {
    /// The labels of a sparse domain; the caller adds the time.
    pub fn sparse(domain: Domain, keys: Vec<u8>, outcomes: Vec<u8>, others: ByLabel<Vec<u8>>) -> Self {
        let (program, solve_time) = (domain.method().name(), Duration::ZERO);
        let (outcomes, others) = (Buffer::List(outcomes), others.map(Buffer::List));
        Self { domain, keys, outcomes, reached: None, others, program, solve_time }
    }

    /// The labels of a domain by regions; the caller adds the time.
    pub fn by_regions(domain: Domain, outcomes: Vec<u8>, remoteness: Vec<u8>) -> Self {
        let others = [(LabelKind::Remoteness, remoteness)].into_iter().collect();
        Self::sparse(domain, Vec::new(), outcomes, others)
    }

    /// The labels that `program` swept in `solve_time`: outcomes, reachability bits if there are any, and labels of one
    /// byte.
    pub fn swept(
        domain: Domain,
        outcomes: Memory,
        reached: Option<Memory>,
        others: ByLabel<Buffer>,
        program: &'static str,
        solve_time: Duration,
    ) -> Self {
        Self { domain, keys: Vec::new(), outcomes: Buffer::Pages(outcomes), reached, others, program, solve_time }
    }

    /// The labels, which belong to `rules`.
    pub fn contents(&self, rules: &Rules) -> Contents<'_> {
        let sections = Sections {
            keys: Bytes::Plain(&self.keys),
            outcomes: Bytes::Plain(self.outcomes.bytes()),
            reached: self.reached.as_ref().map(|memory| Bytes::Plain(memory.bytes())),
            others: ByteLabels::new(|kind| {
                let (width, places) = (self.domain.width(rules, kind), self.domain.label_places(rules, kind));
                Some(LabelBytes::new(self.others.of(kind)?.bytes(), width, places))
            }),
        };
        Contents::new(&self.domain, Shape::of(rules), sections)
    }
}

impl PartialEq for Labelled {
    /// True if the labels are equal, byte for byte, whatever computed them.
    fn eq(&self, other: &Self) -> bool {
        (&self.domain, &self.keys, &self.outcomes) == (&other.domain, &other.keys, &other.outcomes)
            && self.others == other.others
            && self.reached.as_ref().map(Memory::bytes) == other.reached.as_ref().map(Memory::bytes)
    }
}
