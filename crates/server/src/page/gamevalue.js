// The value of a board as a combinatorial game: its name, its thermograph, and the values after each player's turns.

import { h, s } from "./dom.js";
import { capital } from "./values.js";

const [WIDTH, HEIGHT, LEFT, RIGHT, TOP, BOTTOM] = [380, 210, 46, 10, 12, 30];

/** The number that a text such as `-5/4` names. */
function number(text) {
  const [above, below = 1] = text.split("/").map(Number);
  return above / below;
}

const distinct = (texts) => [...new Set(texts)].sort((a, b) => number(a) - number(b));

/** The thermograph: temperatures upwards, values growing to the left, as the literature draws them. */
function thermograph({ left_wall: left, right_wall: right, mean, temperature }) {
  const corners = [...left, ...right];
  const values = distinct(corners.map((corner) => corner.value));
  const [least, most] = [number(values[0]), number(values.at(-1))];
  const room = Math.max(most - least, 1) * 0.08 + (most > least ? 0 : 0.5);
  const top = number(temperature) + Math.max(number(temperature) + 1, 1) * 0.35;
  const x = (value) => LEFT + ((most + room - value) / (most - least + 2 * room)) * (WIDTH - LEFT - RIGHT);
  const y = (heat) => TOP + ((top - heat) / (top + 1)) * (HEIGHT - TOP - BOTTOM);
  const foot = [x(number(mean)), y(number(temperature))];
  // After its last corner a wall keeps its value.
  const path = (wall) => [...wall.map((at) => [x(number(at.value)), y(number(at.temperature))]), foot].map((at) => at.join(" ")).join(" L");
  let last = null;
  const columns = values.map((value) => {
    const at = x(number(value));
    const isFree = last === null || Math.abs(at - last) >= 34;
    if (isFree) last = at;
    return [s("line", { class: "grid", x1: at, x2: at, y1: TOP, y2: HEIGHT - BOTTOM }), isFree && s("text", { class: "tick", x: at, y: HEIGHT - BOTTOM + 16 }, value)];
  });
  let low = null;
  const rows = distinct([...corners.map((corner) => corner.temperature), "0"]).map((heat) => {
    const at = y(number(heat));
    const isFree = low === null || Math.abs(at - low) >= 14;
    if (isFree) low = at;
    return [s("line", { class: "grid", x1: LEFT, x2: WIDTH - RIGHT, y1: at, y2: at }), isFree && s("text", { class: "tick left", x: LEFT - 6, y: at + 4 }, heat)];
  });
  const walls = [s("path", { class: "wall left", d: `M${path(left)}` }), s("path", { class: "wall right", d: `M${path(right)}` }), s("line", { class: "mast", x1: foot[0], x2: foot[0], y1: foot[1], y2: TOP })];
  const label = `Thermograph: mean ${mean}, temperature ${temperature}`;
  return s("svg", { viewBox: `0 0 ${WIDTH} ${HEIGHT}`, role: "img", "aria-label": label }, columns.flat(), rows.flat(), walls);
}

/** The turns of one player, a row for each value; dominated ones last. */
function turns(title, all) {
  const groups = [];
  for (const turn of all) {
    const last = groups.at(-1);
    if (last && last[0].number === turn.number && last[0].best === turn.best) last.push(turn);
    else groups.push([turn]);
  }
  const row = (same) => h("div", same[0].best ? {} : { class: "dim" }, h("dt", {}, same[0].value ?? `value ${same[0].number}`), h("dd", {}, same.map((turn) => turn.move).join(", "), same[0].best ? null : " (dominated)"));
  return [h("h3", {}, title), groups.length ? h("dl", { class: "after" }, groups.map(row)) : h("p", { class: "dim" }, "No move.")];
}

/** The section about the value of a board. */
export function section(value) {
  const facts = `mean ${value.mean}, temperature ${value.temperature}, stops ${value.left_stop} and ${value.right_stop}`;
  const [first, second] = (value.sides ?? []).map(capital);
  const lists = value.sides === null ? turns("After a move", value.left) : [...turns(`After a move of ${first}`, value.left), ...turns(`After a move of ${second}`, value.right)];
  return [h("p", { class: "name" }, value.value ?? `value ${value.number} of the table`), h("p", { class: "dim" }, facts), thermograph(value), h("p", { class: "dim" }, h("span", { class: "key left" }), " Left wall ", h("span", { class: "key right" }), " Right wall"), ...lists];
}
