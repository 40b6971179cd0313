// The shapes of places: squares, hexagons, points, slots, vertices, edges and tiles, drawn around their middle. One unit
// of the scene is 100 units of the drawing.

import { s } from "./dom.js";
import { pieceOf, side } from "./pieces.js";

export const UNIT = 100;
const HALF = 46;

/** The corners of a hexagon, the top one first, clockwise. */
const corners = (radius) => [0, 1, 2, 3, 4, 5].map((n) => [radius * Math.sin((Math.PI / 3) * n), -radius * Math.cos((Math.PI / 3) * n)]);
const hexagon = corners(55).map((corner) => corner.map((part) => part.toFixed(2)).join()).join(" ");

/** The path of an edge, from joint to joint through the middle of its place. Coordinates are relative to that middle. */
export function edgePath(scene, place) {
  const [from, to] = place.ends.map((joint) => scene.joints[joint].at.map((part, axis) => Math.round((part - place.at[axis]) * UNIT)));
  if (place.ends[0] === place.ends[1]) {
    const [x, y] = from;
    // A loop: from the joint around the middle and back.
    return `M${x} ${y}C${-y - x * 0.6} ${x - y * 0.6} ${y - x * 0.6} ${-x - y * 0.6} ${x} ${y}`;
  }
  const control = [0, 1].map((axis) => -(from[axis] + to[axis]) / 2);
  return `M${from[0]} ${from[1]}Q${control[0]} ${control[1]} ${to[0]} ${to[1]}`;
}

/** Returns whether the column and the row of a square differ in parity. Such squares are dark, or all squares if there are none of them. */
const isOdd = ({ at: [x, y] }) => (Math.floor(x) + Math.floor(y)) % 2;

/** The outline of a place, which takes the colour of its value. */
export function outline(scene, place) {
  const { board } = scene.looks;
  if (hasPits(scene)) return [s("rect", { class: "touch", x: -50, y: -50, width: 100, height: 100 })];
  if (board === "rack") return [s("rect", { class: "touch", x: -50, y: -50, width: 100, height: 100 }), s("circle", { class: "cell slot", r: 40 })];
  if (board === "points") return [s("circle", { class: "touch", r: 44 }), s("circle", { class: "cell point", r: 25 })];
  if (board === "checkers") return [s("rect", { class: `cell${isOdd(place) || !scene.places.some(isOdd) ? " dark" : ""}`, x: -49, y: -49, width: 98, height: 98 })];
  switch (scene.layout) {
    case "hexagons":
      return [s("polygon", { class: "cell", points: hexagon })];
    case "vertices":
      return [s("circle", { class: "cell", r: 40 })];
    case "edges": {
      const d = edgePath(scene, place);
      return [s("path", { class: "touch", d }), s("path", { class: "edge under", d }), s("path", { class: "edge cell", d })];
    }
    case "tiles":
      return [s("rect", { class: "cell", x: -56, y: -30, width: 112, height: 60, rx: 9 })];
    default:
      return [s("rect", { class: "cell", x: -HALF, y: -HALF, width: 2 * HALF, height: 2 * HALF, rx: 9 })];
  }
}

const PIPS = { 0: "", 1: "4", 2: "08", 3: "048", 4: "0268", 5: "02468", 6: "023568", 7: "0234568", 8: "01235678", 9: "012345678" };

/** A value of a domino tile, as pips if their number is small enough. */
function pips(name, x) {
  if (!(name in PIPS)) return [s("text", { class: "pipname", x, y: 0 }, name)];
  return [...PIPS[name]].map((pip) => s("circle", { class: "pip", cx: x + ((pip % 3) - 1) * 13, cy: (Math.floor(pip / 3) - 1) * 13, r: 4.6 }));
}

/** The two values of a tile, and the line between them. */
export function tileFace(names) {
  return [s("line", { class: "bar", x1: 0, y1: -20, x2: 0, y2: 20 }), pips(names[0], -28), pips(names[1], 28)];
}

/** Returns whether moves take away what stands on a free place. */
export const isTaken = (scene) => ["gone", "toppled"].includes(scene.looks.pieces[0]);

/** Returns whether free places have a counter or a domino, which a move takes away. */
export const hasCounters = (scene) => isTaken(scene) && scene.layout !== "edges";

/** Returns whether the places lie in pits, whose pieces count. */
export const hasPits = (scene) => scene.areas.some(({ name }) => name);

/** The piece on a place. `isOwn` is false for a place that a move filled but did not name; `by` is the side that filled
 * it, if that is known. */
export function piece(scene, place, state, isOwn, by) {
  if (scene.layout === "edges" || scene.layout === "tiles") return [];
  const name = scene.looks.pieces[Math.max(state - 1, 0)];
  if (name === "gone") return [s("circle", { class: state === 0 ? "man" : "hollow", r: 25, cy: -12 })];
  if (name === "toppled") return [s("rect", { class: state === 0 ? "man upright" : "hollow", x: -17, y: -43, width: 34, height: 62, rx: 5 })];
  if (state === 0) return [];
  const isTwo = scene.signs.length > 1;
  const of = isTwo ? side(state - 1) : hasPits(scene) ? side(0) : by === undefined ? "" : side(by);
  if (name !== "blocks" && (isOwn || isTwo)) return [s("g", { class: state === 3 ? "" : of }, pieceOf(name, state, scene.signs[state - 1] ?? "*", scene.looks.board === "rack" ? 40 : 34))];
  const kind = `block ${of}${isOwn ? "" : " beside"}`;
  const cross = isOwn ? [] : [s("path", { class: "block beside", d: "M-18 -18L18 18M18 -18L-18 18" })];
  if (scene.layout === "vertices") return [s("circle", { class: kind, r: 34 }), ...cross];
  if (scene.layout === "hexagons") return [s("polygon", { class: kind, points: hexagon, transform: "scale(.9)" }), ...cross];
  return [s("rect", { class: kind, x: -38, y: -38, width: 76, height: 76, rx: 8 }), ...cross];
}

/** The location of a place's value, and whether it needs a plate behind it. `clear` is the lower edge of a piece that stays above it. */
export function badgePlace(scene) {
  switch (scene.layout) {
    case "edges":
      return { y: 0, plate: true, small: true };
    case "tiles":
      return { y: 42, plate: true };
    default:
      return hasCounters(scene) ? { y: 29, plate: true, clear: scene.looks.pieces[0] === "gone" ? 15 : 21 } : { y: 0, small: scene.looks.board === "points" };
  }
}

/** Returns whether the names of joints matter: play walks from one to the next, or they are short. */
export const hasNames = (scene) => scene.joints.every(({ name }) => name.length > 0 && name.length < 3) || scene.joint !== null || scene.moves.some((move) => move.joint !== null);

/** Returns whether lines show their names: those of a picture, whose joints have none that matter. */
export const hasLineNames = (scene) => scene.ground.length > 0;

/** The names of rows and columns, for a board whose places are named by both. */
export function rulers(scene) {
  if (scene.layout !== "squares" && scene.layout !== "hexagons") return [];
  const named = scene.places.map((place) => ({ at: place.at, name: /^([a-z]+)(\d+)$/.exec(place.name) })).filter(({ name }) => name);
  const columns = new Map();
  const rows = new Map();
  for (const { at: [x, y], name: [, column, row] } of named) {
    if (!columns.has(column) || columns.get(column)[1] > y) columns.set(column, [x, y]);
    if (!rows.has(row) || rows.get(row)[0] > x) rows.set(row, [x, y]);
  }
  const isSlanted = scene.layout === "hexagons";
  const label = (x, y, text) => s("text", { class: "ruler", x: x * UNIT, y: y * UNIT }, text);
  const left = (x) => (isSlanted ? x - 0.95 : -0.2);
  return [
    [...columns].map(([name, [x, y]]) => label(x, isSlanted ? y - 0.95 : -0.2, name)),
    [...rows].map(([name, [x, y]]) => label(left(x), y, name)),
  ].flat();
}

/** The corners of a hexagon or a square that lie along an edge of the board. */
const ALONG = {
  hexagons: { top: [5, 0, 1], bottom: [4, 3, 2], left: [5, 4, 3], right: [0, 1, 2] },
  squares: { top: [0, 1], bottom: [3, 2], left: [0, 3], right: [1, 2] },
};

const OPPOSITE = { top: "bottom", bottom: "top", left: "right", right: "left" };

/** Returns whether a board can be turned round: nothing in it falls or stands. */
export const canTurn = ({ layout, looks, ground }) => !["words", "tiles"].includes(layout) && looks.board !== "rack" && ground.length === 0;

/** The board of a view turned round by half a circle, as the other player sees it. */
export function turned(view) {
  const [width, height] = view.size;
  const turn = (all) => all.map((one) => ({ ...one, at: [width - one.at[0], height - one.at[1]] }));
  return { ...view, isTurned: true, places: turn(view.places), joints: turn(view.joints), areas: turn(view.areas) };
}

/** The edges of the board in the colours of the sides that own them. */
export function borders(scene) {
  const along = ALONG[scene.layout];
  if (!along) return [];
  const points = scene.layout === "hexagons" ? corners(66) : [[-56, -56], [56, -56], [56, 56], [-56, 56]];
  const grid = scene.places.map((place) => ({ place, at: /^([a-z]+)(\d+)$/.exec(place.name) })).filter(({ at }) => at);
  const column = ({ at: [, letters] }) => [...letters].reduce((sum, letter) => sum * 26 + letter.charCodeAt(0) - 96, 0);
  const row = ({ at }) => Number(at[2]);
  const [lastColumn, lastRow] = [column, row].map((of) => Math.max(...grid.map(of)));
  const isAt = { top: (one) => row(one) === 1, bottom: (one) => row(one) === lastRow, left: (one) => column(one) === 1, right: (one) => column(one) === lastColumn };
  return scene.looks.borders.flatMap((edges, number) =>
    edges.map((edge) => {
      const path = grid.filter(isAt[edge]).flatMap(({ place: { at: [x, y] } }) => along[scene.isTurned ? OPPOSITE[edge] : edge].map((corner) => points[corner].map((part, axis) => ([x, y][axis] * UNIT + part).toFixed(1)).join(" ")));
      return s("path", { class: `border ${side(number)}`, d: `M${path.join("L")}` });
    }),
  );
}

/** What lies behind the places: the rack, borders, lines between points, and boxes. */
export function scenery(scene) {
  const [width, height] = scene.size;
  const rack = scene.looks.board === "rack" ? [s("rect", { class: "rack", x: -8, y: -8, width: width * UNIT + 16, height: height * UNIT + 16, rx: 18 })] : [];
  const lines = scene.lines.map((ends) => {
    const [[x1, y1], [x2, y2]] = ends.map((place) => scene.places[place].at.map((part) => part * UNIT));
    return s("line", { class: "join", x1, y1, x2, y2 });
  });
  const ground = scene.ground.map((joint) => {
    const [x, y] = scene.joints[joint].at.map((part) => part * UNIT);
    return s("path", { class: "ground", d: `M${x - 50} ${y + 14}h100` });
  });
  return [...rack, ...borders(scene), ...ground, ...lines];
}

/** A pit: its outline, the number of its pieces above them, and its name below. A click at it means its first place. */
function pit({ name, at: [x, y], size, places }) {
  const [width, height] = size.map((length) => length * UNIT);
  return s("g", { class: "pit", "data-place": places[0], transform: `translate(${x * UNIT} ${y * UNIT})` }, s("rect", { class: "cell", x: -width / 2, y: -height / 2, width, height, rx: 60 }), s("text", { class: "pitname", y: height / 2 - 62 }, name), s("text", { class: "seeds", y: 66 - height / 2 }));
}

/** The boxes between the lines of a board, or its pits, one group for each. */
export function areas(scene) {
  if (hasPits(scene)) return scene.areas.map(pit);
  return scene.areas.map(({ at: [x, y] }) => s("g", { class: "area", transform: `translate(${x * UNIT} ${y * UNIT})` }, s("rect", { x: -41, y: -41, width: 82, height: 82, rx: 7 }), s("text", { class: "letter", y: 1 })));
}

/** Bars that join neighbouring squares of each group, in the colour of its side. */
export function bars(groups, points) {
  return groups.flatMap(({ places, side: of }) =>
    places.flatMap((a, n) =>
      places.slice(n + 1).flatMap((b) => {
        const [[x1, y1], [x2, y2]] = [points[a], points[b]].map((point) => point.map((part) => part * UNIT));
        const isBeside = Math.abs(x1 - x2) + Math.abs(y1 - y2) < 1.01 * UNIT;
        return isBeside ? [s("line", { class: of === undefined ? "" : side(of), x1, y1, x2, y2 })] : [];
      }),
    ),
  );
}

/** The direction from a vertex in which no line leaves it, for its name. */
export function freeDirection(scene, n) {
  const [x, y] = scene.places[n].at;
  const angles = scene.lines.filter((ends) => ends.includes(n)).map(([a, b]) => {
    const [px, py] = scene.places[a === n ? b : a].at;
    return Math.atan2(py - y, px - x);
  }).sort((a, b) => a - b);
  if (angles.length === 0) return [0, 1];
  const gaps = angles.map((angle, at) => [(angles[at + 1] ?? angles[0] + 2 * Math.PI) - angle, angle]);
  const [gap, angle] = gaps.reduce((best, one) => (one[0] > best[0] + 0.01 ? one : best));
  return [Math.cos(angle + gap / 2), Math.sin(angle + gap / 2)];
}

/** The frame of a drawing: left, top, right and bottom. */
export function frame(scene, [width, height], isSmall) {
  const hasRulers = !isSmall && rulers(scene).length > 0;
  const edge = scene.looks.borders.some((edges) => edges.length > 0) ? 20 : scene.looks.board === "rack" ? 10 : 6;
  const [left, top] = !hasRulers ? [-edge, -edge] : scene.layout === "hexagons" ? [-72, -72] : [-45, -45];
  const below = scene.layout === "vertices" ? 24 : 0;
  return [left - below, top - below, width * UNIT + edge + below, height * UNIT + edge + below];
}

const ON = { white: "bright", yellow: "bright", black: "black" };

/** Gives the colours of the two sides to an element and everything in it. */
export function dress(element, { colours }) {
  colours.forEach((colour, number) => {
    element.style.setProperty(`--c${number}`, `var(--c-${colour})`);
    element.style.setProperty(`--on${number}`, `var(--on-${ON[colour] ?? "deep"})`);
  });
}
