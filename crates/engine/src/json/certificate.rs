//! Certificates as JSON.

use serde_json::json;

use super::{Object, object};
use tablegen_tables::certificate::{Certificate, Strategy};

/// The facts about a certificate that was written to `output` and has `bytes` bytes, as printed by `certify --json`.
#[must_use]
pub fn certified(name: &str, position: &str, certificate: &Certificate<'_>, output: &str, bytes: u64) -> Object {
    let strategy =
        |each: &Strategy| json!({"hero": each.hero(), "aim": each.aim.name(), "positions": each.members.len()});
    object([
        ("name", json!(name)),
        ("position", json!(position)),
        ("outcome", json!(certificate.outcome.name())),
        ("positions", json!(certificate.positions())),
        ("symmetries", json!(certificate.symmetries())),
        ("strategies", certificate.strategies.iter().map(strategy).collect()),
        ("output", json!(output)),
        ("bytes", json!(bytes)),
    ])
}
