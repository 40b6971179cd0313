//! Amounts of memory with units.

/// Reads an amount of memory: `4GiB`, `512 MiB`, `4G`, `1000000000B`. `GB` is a power of 1000 and `GiB` a power of
/// 1024, as usual; a single letter is a power of 1024. A number without a unit is an error, because few people mean bytes.
pub(super) fn parse(text: &str) -> Result<u64, String> {
    const UNITS: [(&str, u64); 12] = [
        ("b", 1),
        ("k", 1 << 10),
        ("kib", 1 << 10),
        ("kb", 1_000),
        ("m", 1 << 20),
        ("mib", 1 << 20),
        ("mb", 1_000_000),
        ("g", 1 << 30),
        ("gib", 1 << 30),
        ("gb", 1_000_000_000),
        ("t", 1 << 40),
        ("tib", 1 << 40),
    ];
    let expected = || "expected an amount of memory such as 4GiB or 512MiB".to_owned();
    let text = text.trim();
    let digits = text.find(|c: char| !c.is_ascii_digit() && c != '.').unwrap_or(text.len());
    let (number, unit) = text.split_at(digits);
    let unit = unit.trim().to_ascii_lowercase();
    if unit.is_empty() && number.parse::<f64>().is_ok_and(|number| number > 0.0) {
        return Err(format!("expected a number with a unit, such as {number}MiB"));
    }
    let (_, scale) = UNITS.iter().find(|(name, _)| *name == unit).ok_or_else(expected)?;
    let number: f64 = number.parse().map_err(|_| expected())?;
    let bytes = number * *scale as f64;
    if (1.0..=u64::MAX as f64).contains(&bytes) { Ok(bytes as u64) } else { Err(expected()) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn amounts_of_memory() {
        let read = |text| parse(text).ok();
        assert_eq!(read("4GiB"), Some(4 << 30));
        assert_eq!((read("512 MiB"), read("512m"), read("1.5k")), (Some(512 << 20), Some(512 << 20), Some(1536)));
        assert_eq!((read("1GB"), read("77B")), (Some(1_000_000_000), Some(77)));
        assert_eq!(parse("10").unwrap_err(), "expected a number with a unit, such as 10MiB");
        for text in ["", "77", "0GiB", "GiB", "-1", "0", "4 apples", "1e3", "1..2", "nan", "99999999999999TiB", "٤"] {
            assert_eq!(read(text), None, "{text:?}");
        }
    }
}
