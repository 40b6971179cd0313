//! The contrast of the page's colours meets WCAG 2.2 AA: 4.5 for text, 3 for the visible parts of controls and
//! drawings.

use std::collections::BTreeMap;

const STYLE: &str = include_str!("../../../crates/server/src/page/style.css");
const TEXT: f64 = 4.5;
const DRAWN: f64 = 3.0;

type Colours = BTreeMap<String, [f64; 3]>;

/// The themes, as the places of their colours in `light-dark(…)`.
const THEMES: [usize; 2] = [0, 1];

/// The lines of the style rule for `selector`.
fn rule(selector: &str) -> impl Iterator<Item = &'static str> {
    let (_, rule) = STYLE.split_once(&format!("{selector} {{")).unwrap_or_else(|| panic!("{selector} in the style"));
    rule.split_once('}').unwrap().0.lines().map(str::trim)
}

/// The colours of a theme.
fn colours(theme: usize) -> Colours {
    let colour = |line: &str| {
        let (name, both) = line.strip_prefix("--")?.split_once(": light-dark(#")?;
        let value = both.trim_end_matches(");").split(", #").nth(theme)?;
        let number = u32::from_str_radix(value, 16).ok()?;
        let linear = |shift: u32| {
            let part = f64::from(number >> shift & 0xff) / 255.0;
            if part <= 0.04045 { part / 12.92 } else { ((part + 0.055) / 1.055).powf(2.4) }
        };
        Some((name.to_owned(), [16, 8, 0].map(linear)))
    };
    rule(":root").filter_map(colour).collect()
}

fn luminance([red, green, blue]: [f64; 3]) -> f64 {
    0.2126 * red + 0.7152 * green + 0.0722 * blue
}

fn contrast(a: [f64; 3], b: [f64; 3]) -> f64 {
    let (a, b) = (luminance(a) + 0.05, luminance(b) + 0.05);
    a.max(b) / a.min(b)
}

#[test]
fn text_and_drawings_stand_out_in_both_themes() {
    let pairs = [
        (TEXT, "ink dim", "paper surface raised square"),
        (TEXT, "win-ink", "win-soft"),
        (TEXT, "draw-ink", "draw-soft"),
        (TEXT, "loss-ink", "loss-soft surface raised"),
        (TEXT, "on-win", "win"),
        (TEXT, "on-stone", "stone"),
        (TEXT, "error", "error-soft"),
        (TEXT, "paper", "ink"),
        (DRAWN, "control", "surface paper raised square"),
        (DRAWN, "stone beside focus ink", "paper surface square win-soft draw-soft loss-soft"),
        (DRAWN, "win draw loss", "paper surface"),
        (DRAWN, "draw", "draw-soft"),
        (DRAWN, "loss", "loss-soft"),
        (DRAWN, "man-line", "paper surface square dark-square"),
        (DRAWN, "c-red c-blue c-green c-purple c-brown c-orange c-grey c-plain", "paper surface square"),
        (TEXT, "on-deep", "c-red c-blue c-green c-purple c-brown c-orange c-grey c-plain"),
        (TEXT, "on-bright", "c-white c-yellow"),
        (TEXT, "on-black", "c-black"),
        (DRAWN, "rack", "paper"),
    ];
    for theme in THEMES {
        let colours = colours(theme);
        let colour = |name: &str| *colours.get(name).unwrap_or_else(|| panic!("theme {theme} has no --{name}"));
        for (least, fronts, backs) in pairs {
            for (front, back) in fronts.split(' ').flat_map(|front| backs.split(' ').map(move |back| (front, back))) {
                let found = contrast(colour(front), colour(back));
                assert!(
                    found >= least,
                    "theme {theme}: --{front} on --{back}: expected at least {least}, found {found:.2}"
                );
            }
        }
    }
}

#[test]
fn the_dark_theme_is_the_same_by_choice_and_by_the_system() {
    // Each name has both colours in one list, and only the colour scheme chooses between them.
    let [light, dark] = THEMES.map(colours);
    let named = rule(":root").filter(|line| line.starts_with("--") && !line.starts_with("--shadow:")).count();
    assert!(light.keys().eq(dark.keys()) && light.len() == named && named > 20);
    assert!(rule(":root").any(|line| line == "color-scheme: light dark;"));
    for theme in ["light", "dark"] {
        let chosen: Vec<&str> = rule(&format!(":root[data-theme=\"{theme}\"]")).collect();
        assert_eq!(chosen, [format!("color-scheme: {theme};")]);
    }
    assert!(!STYLE.contains("prefers-color-scheme"));
}

#[test]
fn outcomes_differ_in_lightness_too() {
    // Without colour vision, a reader still tells the best winning move, which is filled, from a losing move, which is
    // outlined.
    for theme in THEMES {
        let colours = colours(theme);
        assert!(contrast(colours["win"], colours["loss-soft"]) >= DRAWN);
        assert!(contrast(colours["win"], colours["draw-soft"]) >= DRAWN);
    }
}
