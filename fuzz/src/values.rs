//! Values of combinatorial games: the name of a value reads back as the same value.

use tablegen::values::{Calculator, Error, Limits};

/// Far below the default limits, which allow seconds and gigabytes.
const LIMITS: Limits = Limits { values: 1 << 12, steps: 1 << 14, characters: 1 << 12 };

pub fn run(data: &[u8]) {
    let Ok(text) = str::from_utf8(data) else { return };
    let mut calculator = Calculator::new(LIMITS);
    let Ok(value) = calculator.parse(text) else { return };
    // Names of games near the limits may exceed them.
    let Ok(name) = calculator.name(value) else { return };
    match calculator.parse(&name) {
        Ok(again) => assert_eq!(value, again, "{name}"),
        Err(error @ Error::Text { .. }) => panic!("{name}: {error}"),
        Err(_) => {}
    }
    let _ = calculator.thermograph(value);
    let _ = calculator.atomic_weight(value);
    let _ = calculator.reduced(value);
    let _ = calculator.stops(value);
}
