// The list of moves, grouped by their result, best first.

import { h } from "./dom.js";
import { count, inWords, isBetter, short } from "./values.js";

/** The number of moves beyond which a group is shortened until the user expands it. */
const MOST = 60;

function groups(moves) {
  const all = [];
  for (const move of moves) {
    const last = all.at(-1);
    if (last && inWords(last[0]) === inWords(move)) last.push(move);
    else all.push([move]);
  }
  return all;
}

/** The list of `moves`. Its buttons call `on.play(move)` and `on.point(move or null)`. */
export function list(moves, { values, active, best }, on) {
  if (moves.length === 0) return [h("p", { class: "dim" }, "No move is left.")];
  const button = (move) =>
    h("button", { type: "button", class: "move", disabled: !active, onclick: () => on.play(move), onpointerenter: () => on.point(move), onpointerleave: () => on.point(null), onfocus: () => on.point(move), onblur: () => on.point(null) }, move.text);
  if (!values || moves[0].outcome === "unknown" && moves.every((move) => move.outcome === "unknown")) {
    const order = [...moves].sort((a, b) => a.text.localeCompare(b.text, "en", { numeric: true }));
    return limited(order, button);
  }
  const wins = moves.filter((move) => best && !isBetter(best, move)).length;
  const summary = h("p", { class: "dim" }, `${count(moves.length)} ${moves.length === 1 ? "move" : "moves"}, ${wins} best`);
  const group = (same) =>
    h("div", { class: `group ${same[0].outcome}` }, h("h3", {}, h("span", { class: `chip ${same[0].outcome}` }, short(same[0])), h("span", {}, inWords(same[0]))), h("div", { class: "buttons" }, limited(same, button)));
  return [summary, ...groups(moves).map(group)];
}

function limited(moves, button) {
  const first = moves.slice(0, MOST).map(button);
  if (moves.length <= MOST) return first;
  const rest = moves.slice(MOST);
  const more = h("button", { type: "button", class: "quiet", onclick: () => more.replaceWith(...rest.map(button)) }, `${count(rest.length)} more`);
  return [...first, more];
}
