// The shapes of places: squares, hexagons, vertices, edges and tiles, drawn around their middle. One unit of the scene
// is 100 units of the drawing.

import { s } from "./dom.js";

export const UNIT = 100;
const HALF = 46;

const hexagon = (() => {
  const radius = 55;
  const corner = (n) => {
    const turn = (Math.PI / 3) * n - Math.PI / 2;
    return `${(radius * Math.cos(turn)).toFixed(2)},${(radius * Math.sin(turn)).toFixed(2)}`;
  };
  return [0, 1, 2, 3, 4, 5].map(corner).join(" ");
})();

/** The path of an edge, from joint to joint through the middle of its place. Coordinates are relative to that middle. */
export function edgePath(scene, place) {
  const [from, to] = place.ends.map((joint) => scene.joints[joint].at.map((part, axis) => (part - place.at[axis]) * UNIT));
  if (place.ends[0] === place.ends[1]) {
    const [x, y] = from;
    // A loop: from the joint around the middle and back.
    return `M${x} ${y}C${-y - x * 0.6} ${x - y * 0.6} ${y - x * 0.6} ${-x - y * 0.6} ${x} ${y}`;
  }
  const control = [0, 1].map((axis) => -(from[axis] + to[axis]) / 2);
  return `M${from[0]} ${from[1]}Q${control[0]} ${control[1]} ${to[0]} ${to[1]}`;
}

/** The outline of a place, which takes the colour of its value. */
export function outline(scene, place) {
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

/** The sign of a colour: a cross, a ring, or its letter on a disc. */
function mark(sign, state) {
  if (sign === "X") return [s("path", { class: "stroke", d: "M-24 -24L24 24M24 -24L-24 24" })];
  if (sign === "O") return [s("circle", { class: "stroke", r: 27 })];
  return [s("circle", { class: state === 1 ? "stone solid" : "stone hollow", r: 33 }), s("text", { class: state === 1 ? "letter on-solid" : "letter", y: 1 }, sign)];
}

/** The piece on a filled place. `isOwn` is false for a place that a move filled but did not name. */
export function piece(scene, place, state, isOwn) {
  if (state === 0 || scene.layout === "edges" || scene.layout === "tiles") return [];
  if (state === 3) return [s("text", { class: "letter", y: 1 }, "*")];
  if (scene.signs.length > 1) return mark(scene.signs[state - 1], state);
  const beside = isOwn ? "" : " beside";
  if (scene.layout === "vertices") return [s("circle", { class: `block${beside}`, r: 34 })];
  if (scene.layout === "hexagons") return [s("polygon", { class: `block${beside}`, points: hexagon, transform: "scale(.82)" })];
  return [s("rect", { class: `block${beside}`, x: -38, y: -38, width: 76, height: 76, rx: 8 })];
}

/** The location of a place's value, and whether it needs a plate behind it. */
export function badgePlace(scene) {
  switch (scene.layout) {
    case "edges":
      return { y: 0, plate: true };
    case "tiles":
      return { y: 42, plate: true };
    default:
      return { y: 0, plate: false };
  }
}

/** The names of rows and columns, for a board whose places are named by both. */
export function rulers(scene) {
  if (scene.layout !== "squares" && scene.layout !== "hexagons") return [];
  const named = scene.places.map((place) => ({ at: place.at, name: /^([a-z]+)(\d+)$/.exec(place.name) })).filter(({ name }) => name);
  const columns = new Map();
  const rows = new Map();
  for (const { at: [x, y], name: [, column, row] } of named) {
    if (!columns.has(column)) columns.set(column, [x, y]);
    if (!rows.has(row) || rows.get(row)[0] > x) rows.set(row, [x, y]);
  }
  const isSlanted = scene.layout === "hexagons";
  const label = (x, y, text) => s("text", { class: "ruler", x: x * UNIT, y: y * UNIT }, text);
  const left = (x) => (isSlanted ? x - 0.78 : -0.2);
  return [
    [...columns].map(([name, [x, y]]) => label(x, isSlanted ? y - 0.78 : -0.2, name)),
    [...rows].map(([name, [x, y]]) => label(left(x), y, name)),
  ].flat();
}
