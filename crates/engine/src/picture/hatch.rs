//! Hatches: diagonal lines in a rectangle, drawn as one path.

/// Pixels between two lines, measured along a side.
const STEP: i32 = 9;

/// A path of diagonal lines across the rectangle between its upper left and its lower right corner. The lines are
/// joined along the sides, so that one path element suffices.
pub(super) fn hatch([(left, top), (right, bottom)]: [(i32, i32); 2]) -> Vec<(i32, i32)> {
    let (width, height) = (right - left, bottom - top);
    // Line `t` contains the points whose distances from the left and from the top add up to `t`. It runs from the top
    // or right side to the left or lower side.
    let up = |t: i32| (t.min(width), (t - width).max(0));
    let down = |t: i32| ((t - height).max(0), t.min(height));
    let mut path = Vec::new();
    for (number, t) in (STEP..width + height).step_by(STEP as usize).enumerate() {
        let begins_up = number % 2 == 0;
        let (from, to) = if begins_up { (up(t), down(t)) } else { (down(t), up(t)) };
        // The joint between two lines goes through the corner instead of cutting it off.
        let (corner, at) = if begins_up { ((width, 0), width) } else { ((0, height), height) };
        if number > 0 && t - STEP < at && at < t {
            path.push(corner);
        }
        path.extend([from, to]);
    }
    path.into_iter().map(|(x, y)| (left + x, top + y)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_stay_inside_and_join_along_the_sides() {
        for (width, height) in [(1, 1), (5, 40), (40, 5), (30, 30), (17, 260), (0, 9), (300, 1)] {
            let path = hatch([(100, 200), (100 + width, 200 + height)]);
            assert!(path.iter().all(|&(x, y)| (0..=width).contains(&(x - 100)) && (0..=height).contains(&(y - 200))));
            for pair in path.windows(2) {
                let (dx, dy) = (pair[1].0 - pair[0].0, pair[1].1 - pair[0].1);
                assert!(dx == -dy || dx == 0 || dy == 0, "{width}x{height}: {pair:?}");
            }
            assert_eq!(path.is_empty(), width + height <= STEP);
        }
    }
}
