// The line of play, for games in which the order of moves matters: tiles end to end, words in a row, or a walk in a
// graph.

import { h, s } from "./dom.js";
import { tileFace } from "./shapes.js";

/** The line up to entry `index` of a session; empty if the board already shows everything. */
export function chain(session) {
  const { view } = session.current;
  const { layout } = view;
  if (!["tiles", "edges", "words"].includes(layout)) return [];
  // The places are lines between points, but play does not walk along them.
  if (layout === "edges" && view.joint === null && view.moves.every((move) => move.joint === null)) return [];
  const filled = view.states.filter((state) => state > 0).length;
  const steps = [];
  for (let at = 1; at <= session.index; at++) {
    const [before, after] = [session.view(at - 1), session.view(at)];
    const place = session.changesAt(at)[0];
    if (before && after && place !== undefined) steps.push({ place, from: before.joint, to: after.joint });
  }
  const isWhole = steps.length === filled;
  const more = isWhole ? null : h("span", { class: "more", title: "played before" }, `${filled - steps.length} before`);
  if (layout === "words") {
    const said = isWhole ? steps : view.states.flatMap((state, place) => (state > 0 && !steps.some((step) => step.place === place) ? [{ place }] : [])).concat(steps);
    return said.length === 0 ? [h("span", { class: "empty" }, "Say a word, or drop one here")] : said.map(({ place }) => h("span", { class: "said" }, view.places[place].name));
  }
  if (layout === "tiles") {
    if (filled === 0) return [h("span", { class: "empty" }, "Lay a tile, or drop one here")];
    const tail = view.joint === null ? null : h("span", { class: "tail" }, "tail ", h("strong", {}, view.joints[view.joint].name));
    return [more, ...steps.map((step) => tile(view, step)), tail];
  }
  if (filled === 0 && view.joint === null) return [h("span", { class: "empty" }, "Walk any edge to begin")];
  const visited = steps.length > 0 ? [start(view, steps[0]), ...steps.map(({ to }) => to)] : [view.joint];
  return [more, ...visited.map((joint) => h("span", { class: "said" }, view.joints[joint].name))];
}

/** The vertex at which the first step began. */
function start(view, { place, from, to }) {
  const [a, b] = view.places[place].ends;
  return from ?? (to === b ? a : b);
}

function tile(view, step) {
  const { ends } = view.places[step.place];
  const from = start(view, step);
  const other = ends[0] === from ? ends[1] : ends[0];
  const names = [from, other].map((joint) => view.joints[joint].name);
  return s("svg", { class: "tile", viewBox: "-58 -32 116 64", role: "img", "aria-label": names.join("-") }, s("rect", { class: "cell", x: -56, y: -30, width: 112, height: 60, rx: 9 }), s("g", { class: "face" }, tileFace(names)));
}
