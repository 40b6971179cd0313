//! Certificates as JSON.

use serde_json::json;

use super::{Object, object};
use tablegen_rules::Outcome;
use tablegen_tables::certificate::{Bounds, Certificate, Claim, Strategy};

/// The facts about a certificate that was written to `output` and has `bytes` bytes, as printed by `certify --json`.
#[must_use]
pub fn certified(name: &str, position: &str, certificate: &Certificate<'_>, output: &str, bytes: u64) -> Object {
    let strategy =
        |each: &Strategy| json!({"hero": each.hero(), "aim": each.aim.name(), "positions": each.members.len()});
    let (outcome, bounds) = match certificate.claim {
        Claim::Outcome(outcome) => (Some(outcome), None),
        Claim::Score(bounds) => (None, Some(bounds)),
    };
    object([
        ("name", json!(name)),
        ("position", json!(position)),
        ("outcome", json!(outcome.map(Outcome::name))),
        ("least", json!(bounds.and_then(Bounds::least))),
        ("most", json!(bounds.and_then(Bounds::most))),
        ("positions", json!(certificate.positions())),
        ("symmetries", json!(certificate.symmetries())),
        ("strategies", certificate.strategies.iter().map(strategy).collect()),
        ("output", json!(output)),
        ("bytes", json!(bytes)),
    ])
}
