//! Coordinates for drawing a graph.
//!
//! There are two candidates, and the one in which fewer lines cross wins. The first puts all vertices on a circle. The
//! second makes the distances of vertices similar to their distances in the graph, which suits paths, grids and trees.
//! It uses stress majorization (Gansner, Koren and North, *Graph Drawing by Stress Majorization*, 2004).

use super::rounded;

type Point = [f64; 2];

/// Rounds of stress majorization. Drawings of small graphs have converged by then.
const ROUNDS: usize = 300;
/// The space between the outermost vertices and the border.
const MARGIN: f64 = 0.7;
/// The distance that a line must keep from other vertices, as a fraction of the smallest distance between vertices.
const CLEARANCE: f64 = 0.3;

/// Points for `count` vertices, at least `gap` apart, and the size of the drawing.
pub(super) fn points(count: usize, edges: &[[usize; 2]], gap: f64) -> (Vec<Point>, [f64; 2]) {
    let circle = scaled(circle(count), gap);
    let relaxed = scaled(relaxed(&circle, &distances(count, edges)), gap);
    let faults = |points: &[Point]| crossings(points, edges) + 2 * passings(points, edges, gap * CLEARANCE);
    let spread = |points: &[Point]| extent(points).1.iter().product::<f64>();
    // If both are equally clear, the smaller drawing wins, and the circle in a tie because it is more regular.
    let (of_circle, of_relaxed) = (faults(&circle), faults(&relaxed));
    let is_better = of_relaxed < of_circle || of_relaxed == of_circle && spread(&relaxed) < spread(&circle);
    moved(&if is_better { relaxed } else { circle })
}

/// Points at `places`, at least `gap` apart, and the size of the drawing.
pub(super) fn at_places(places: &[Point], gap: f64) -> (Vec<Point>, [f64; 2]) {
    moved(&scaled(places.to_vec(), gap))
}

/// The points, moved to begin at the margins, and the size of the drawing.
fn moved(points: &[Point]) -> (Vec<Point>, [f64; 2]) {
    let ([left, top], [width, height]) = extent(points);
    let moved = points.iter().map(|[x, y]| [x - left + MARGIN, y - top + MARGIN].map(rounded)).collect();
    (moved, [width + 2.0 * MARGIN, height + 2.0 * MARGIN].map(rounded))
}

/// The point of each edge at which a player clicks: near its middle, away from other edges and their points. Parallel
/// edges bend away from each other, and a loop is drawn beside its vertex.
pub(super) fn middles(edges: &[[usize; 2]], points: &[Point]) -> Vec<Point> {
    const BEND: f64 = 0.5;
    const LOOP: f64 = 0.8;
    let key = |[a, b]: [usize; 2]| (a.min(b), a.max(b));
    let mut middles: Vec<Point> = Vec::with_capacity(edges.len());
    for (number, &ends) in edges.iter().enumerate() {
        let parallel = edges.iter().filter(|&&other| key(other) == key(ends)).count();
        let rank = edges[..number].iter().filter(|&&other| key(other) == key(ends)).count();
        let (from, to) = key(ends);
        let [[ax, ay], [bx, by]] = [points[from], points[to]];
        let (dx, dy) = (bx - ax, by - ay);
        middles.push(if from == to {
            let turn = std::f64::consts::TAU * rank as f64 / parallel as f64 - std::f64::consts::FRAC_PI_2;
            [ax + LOOP * turn.cos(), ay + LOOP * turn.sin()]
        } else if parallel > 1 {
            let aside = BEND * (rank as f64 - (parallel - 1) as f64 / 2.0) / dx.hypot(dy);
            [(ax + bx) / 2.0 - dy * aside, (ay + by) / 2.0 + dx * aside]
        } else {
            let others = || edges.iter().filter(|&&other| key(other) != key(ends));
            clearest(
                |part| [ax + dx * part, ay + dy * part],
                |at| {
                    let lines = others().map(|&[a, b]| beside(at, points[a], points[b]));
                    let taken = middles.iter().map(|&[x, y]| (at[0] - x).hypot(at[1] - y) / 2.0);
                    lines.chain(taken).fold(f64::INFINITY, f64::min)
                },
            )
        });
    }
    middles
}

/// The point on an edge that is nearest to its middle and has enough space around it, or else the point with the most
/// space.
fn clearest(along: impl Fn(f64) -> Point, room: impl Fn(Point) -> f64) -> Point {
    const ENOUGH: f64 = 0.27;
    // From the middle outwards, to a quarter of the edge from either end.
    let parts = (0..=20).map(|n| 0.5 + f64::from(n / 2) * if n % 2 == 0 { 0.025 } else { -0.025 });
    let rooms = parts.map(|part| (along(part), room(along(part))));
    let mut found = (along(0.5), 0.0);
    for (point, room) in rooms {
        if room >= ENOUGH {
            return point;
        }
        if room > found.1 {
            found = (point, room);
        }
    }
    found.0
}

/// The distance of a point from the line between two others.
fn beside([x, y]: Point, [ax, ay]: Point, [bx, by]: Point) -> f64 {
    let (dx, dy) = (bx - ax, by - ay);
    let along = (((x - ax) * dx + (y - ay) * dy) / (dx * dx + dy * dy).max(1e-9)).clamp(0.0, 1.0);
    (x - ax - along * dx).hypot(y - ay - along * dy)
}

fn circle(count: usize) -> Vec<Point> {
    // The first vertex is at the top. Four vertices form an upright square.
    let first = if count == 4 { -3.0 / 8.0 } else { -1.0 / 4.0 };
    let turn = |vertex: usize| std::f64::consts::TAU * (vertex as f64 / count as f64 + first);
    (0..count).map(turn).map(|turn| [turn.cos(), turn.sin()]).collect()
}

/// The number of edges on the shortest path between any two vertices. Unconnected vertices get a larger value.
fn distances(count: usize, edges: &[[usize; 2]]) -> Vec<Vec<f64>> {
    let far = (count as f64).sqrt() + 1.0;
    let mut neighbours = vec![Vec::new(); count];
    for &[a, b] in edges {
        neighbours[a].push(b);
        neighbours[b].push(a);
    }
    let from = |start: usize| {
        let mut found: Vec<Option<u32>> = vec![None; count];
        found[start] = Some(0);
        let mut queue = std::collections::VecDeque::from([(start, 0)]);
        while let Some((at, steps)) = queue.pop_front() {
            for &next in &neighbours[at] {
                if found[next].is_none() {
                    found[next] = Some(steps + 1);
                    queue.push_back((next, steps + 1));
                }
            }
        }
        found.into_iter().map(|steps| steps.map_or(far, f64::from)).collect()
    };
    (0..count).map(from).collect()
}

/// The drawing that stress majorization makes from `start`.
fn relaxed(start: &[Point], distances: &[Vec<f64>]) -> Vec<Point> {
    let mut points = start.to_vec();
    for _ in 0..ROUNDS {
        let mut moved = 0.0f64;
        for vertex in 0..points.len() {
            let [x, y] = points[vertex];
            let (mut sum, mut weights) = ([0.0; 2], 0.0);
            for (other, &[ox, oy]) in points.iter().enumerate().filter(|(other, _)| *other != vertex) {
                let wanted = distances[vertex][other];
                let (dx, dy) = (x - ox, y - oy);
                let weight = 1.0 / (wanted * wanted);
                let pull = wanted / dx.hypot(dy).max(1e-6);
                sum = [sum[0] + weight * (ox + dx * pull), sum[1] + weight * (oy + dy * pull)];
                weights += weight;
            }
            if weights > 0.0 {
                points[vertex] = sum.map(|sum| sum / weights);
                moved = moved.max((points[vertex][0] - x).hypot(points[vertex][1] - y));
            }
        }
        if moved < 1e-4 {
            break;
        }
    }
    points
}

/// The drawing at the scale at which the two closest vertices are `gap` apart.
fn scaled(points: Vec<Point>, gap: f64) -> Vec<Point> {
    let pairs = points.iter().enumerate().flat_map(|(n, a)| points[..n].iter().map(move |b| (a, b)));
    let least = pairs.map(|(a, b)| (a[0] - b[0]).hypot(a[1] - b[1])).fold(f64::INFINITY, f64::min);
    // Coinciding vertices stay together at any scale; then the circle wins.
    let scale = if least.is_finite() { gap / least.max(0.05) } else { 1.0 };
    points.into_iter().map(|point| point.map(|part| part * scale)).collect()
}

/// The least coordinates, and the width and height.
fn extent(points: &[Point]) -> (Point, [f64; 2]) {
    let of =
        |part: usize, pick: fn(f64, f64) -> f64| points.iter().map(|point| point[part]).reduce(pick).unwrap_or(0.0);
    let [left, top] = [of(0, f64::min), of(1, f64::min)];
    ([left, top], [of(0, f64::max) - left, of(1, f64::max) - top])
}

/// The number of pairs of lines that cross.
fn crossings(points: &[Point], edges: &[[usize; 2]]) -> usize {
    let side = |a: Point, b: Point, c: Point| (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0]);
    let cross = |&[a, b]: &[usize; 2], &[c, d]: &[usize; 2]| {
        let apart = a != c && a != d && b != c && b != d;
        let [p, q, r, s] = [a, b, c, d].map(|vertex| points[vertex]);
        apart && side(p, q, r) * side(p, q, s) < -1e-9 && side(r, s, p) * side(r, s, q) < -1e-9
    };
    let pairs = edges.iter().enumerate().flat_map(|(n, a)| edges[..n].iter().map(move |b| (a, b)));
    pairs.filter(|(a, b)| cross(a, b)).count()
}

/// The number of vertices that a line passes too closely.
fn passings(points: &[Point], edges: &[[usize; 2]], clearance: f64) -> usize {
    let passes = |&[a, b]: &[usize; 2], vertex: usize| {
        vertex != a && vertex != b && beside(points[vertex], points[a], points[b]) < clearance
    };
    edges.iter().map(|edge| (0..points.len()).filter(|&vertex| passes(edge, vertex)).count()).sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn drawn(count: usize, edges: &[[usize; 2]]) -> Vec<Point> {
        let (points, [width, height]) = points(count, edges, 1.5);
        for (number, a) in points.iter().enumerate() {
            assert!((0.0..=width).contains(&a[0]) && (0.0..=height).contains(&a[1]));
            for b in &points[..number] {
                assert!((a[0] - b[0]).hypot(a[1] - b[1]) > 1.49, "{a:?} {b:?}");
            }
        }
        points
    }

    #[test]
    fn planar_graphs_are_drawn_without_crossings() {
        let path: Vec<[usize; 2]> = (0..8).map(|n| [n, n + 1]).collect();
        let cycle: Vec<[usize; 2]> = (0..9).map(|n| [n, (n + 1) % 9]).collect();
        // The squares of a board of three by three, row by row: on a circle their lines cross.
        let row = |n: usize| (n % 3 < 2).then_some([n, n + 1]);
        let col = |n: usize| (n < 6).then_some([n, n + 3]);
        let grid: Vec<[usize; 2]> = (0..9).flat_map(|n| [row(n), col(n)].into_iter().flatten()).collect();
        let tree = vec![[0, 1], [0, 2], [1, 3], [1, 4], [2, 5], [2, 6]];
        for (count, edges) in [(9, path), (9, cycle), (9, grid), (7, tree)] {
            assert_eq!(crossings(&drawn(count, &edges), &edges), 0, "{edges:?}");
        }
    }

    #[test]
    fn any_graph_is_drawn() {
        drawn(1, &[[0, 0]]);
        drawn(2, &[[0, 1], [1, 0], [0, 0]]);
        drawn(6, &[[0, 1], [2, 3], [4, 5]]);
        let complete: Vec<[usize; 2]> = (0..11).flat_map(|a| (0..a).map(move |b| [a, b])).collect();
        drawn(11, &complete);
        drawn(128, &(0..64).map(|n| [2 * n, 2 * n + 1]).collect::<Vec<_>>());
        assert!(points(0, &[], 1.0).0.is_empty());
    }

    #[test]
    fn crossing_lines_have_separate_click_points() {
        let complete: Vec<[usize; 2]> = (0..6).flat_map(|a| (0..a).map(move |b| [a, b])).collect();
        let (points, _) = points(6, &complete, 1.9);
        let middles = middles(&complete, &points);
        for (number, a) in middles.iter().enumerate() {
            assert!(middles[..number].iter().all(|b| (a[0] - b[0]).hypot(a[1] - b[1]) > 0.4), "{middles:?}");
        }
    }

    #[test]
    fn parallel_edges_and_loops_are_apart() {
        let edges = [[0, 1], [1, 0], [0, 0], [0, 0], [0, 1]];
        let middles = middles(&edges, &[[0.0, 0.0], [2.0, 0.0]]);
        for (number, a) in middles.iter().enumerate() {
            assert!(middles[..number].iter().all(|b| (a[0] - b[0]).hypot(a[1] - b[1]) > 0.4), "{middles:?}");
        }
    }
}
