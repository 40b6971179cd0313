// The statistics of a table: the numbers of wins, draws and losses by filled cells and by moves to the end.

import { h, s } from "./dom.js";
import { count, NUMBERS, SCORES, sign } from "./values.js";

const OUTCOMES = ["win", "draw", "loss"];
const NAMES = { win: "wins", draw: "draws", loss: "losses", boards: "boards" };
const [WIDTH, HEIGHT, LEFT, BOTTOM, TOP] = [380, 170, 44, 26, 8];

const percent = (part, all) => (all === 0 ? "0 %" : `${((100 * part) / all).toFixed(1)} %`);

/** Hatchings, so that outcomes differ by more than colour. The prefix `id` distinguishes the hatchings of different
 * pictures. */
const hatches = (id) =>
  s(
    "defs",
    {},
    s("pattern", { id: `${id}-loss`, width: 6, height: 6, patternUnits: "userSpaceOnUse", patternTransform: "rotate(45)" }, s("rect", { class: "loss", width: 6, height: 6 }), s("line", { class: "hatch", x1: 0, y1: 0, x2: 0, y2: 6 })),
    s("pattern", { id: `${id}-draw`, width: 6, height: 6, patternUnits: "userSpaceOnUse" }, s("rect", { class: "draw", width: 6, height: 6 }), s("circle", { class: "hatch dot", cx: 3, cy: 3, r: 1.1 })),
  );

const filling = (id, outcome) => (outcome === "win" ? { class: "win" } : { fill: `url(#${id}-${outcome})` });

/** Labels for every `n`th bar, spaced so that they do not overlap. */
function ticks(rows, key, step) {
  const every = Math.max(1, Math.ceil(24 / step));
  return rows.flatMap((row, n) => (n % every === 0 ? [s("text", { class: "tick", x: LEFT + step * (n + 0.5), y: HEIGHT - 9 }, row[key])] : []));
}

/** Stacked shares of the outcomes. */
function shares(id, rows, key) {
  const step = (WIDTH - LEFT) / rows.length;
  const room = HEIGHT - TOP - BOTTOM;
  const bar = (row, n) => {
    const all = OUTCOMES.reduce((sum, outcome) => sum + row[outcome], 0);
    let y = HEIGHT - BOTTOM;
    return OUTCOMES.flatMap((outcome) => {
      const height = all === 0 ? 0 : (room * row[outcome]) / all;
      y -= height;
      if (height === 0) return [];
      const title = s("title", {}, `${row[key]}: ${count(row[outcome])} ${NAMES[outcome]} of ${count(all)}, ${percent(row[outcome], all)}`);
      return [s("rect", { ...filling(id, outcome), x: LEFT + step * n + step * 0.06, y, width: step * 0.88, height }, title)];
    });
  };
  const grid = [0, 25, 50, 75, 100].map((share) => {
    const y = HEIGHT - BOTTOM - (room * share) / 100;
    return [s("line", { class: "grid", x1: LEFT, x2: WIDTH, y1: y, y2: y }), s("text", { class: "tick left", x: LEFT - 6, y: y + 4 }, `${share} %`)];
  });
  return s("svg", { viewBox: `0 0 ${WIDTH} ${HEIGHT}`, "aria-hidden": "true" }, hatches(id), grid, rows.map(bar), ticks(rows, key, step));
}

/** Counts on a logarithmic axis, side by side. */
function counts(id, rows, key, kinds) {
  const most = Math.max(10, ...rows.flatMap((row) => kinds.map((kind) => row[kind])));
  const decades = Math.ceil(Math.log10(most) + 0.02);
  const room = HEIGHT - TOP - BOTTOM;
  const height = (number) => (number === 0 ? 0 : ((Math.log10(number) + 0.25) / (decades + 0.25)) * room);
  const step = (WIDTH - LEFT) / rows.length;
  const bar = (row, n) => {
    const here = kinds.filter((kind) => row[kind] > 0);
    return here.map((kind, at) => {
      const wide = (step * 0.88) / here.length;
      const tall = height(row[kind]);
      const style = OUTCOMES.includes(kind) ? filling(id, kind) : { class: "plain" };
      return s("rect", { ...style, x: LEFT + step * n + step * 0.06 + wide * at, y: HEIGHT - BOTTOM - tall, width: wide, height: tall }, s("title", {}, `${row[key]}: ${count(row[kind])} ${NAMES[kind] ?? "positions"}`));
    });
  };
  const every = Math.ceil((decades + 1) / 6);
  const grid = Array.from({ length: decades + 1 }, (_, decade) => {
    const y = HEIGHT - BOTTOM - height(10 ** decade);
    const label = decade % every === 0 ? s("text", { class: "tick left", x: LEFT - 6, y: y + 4 }, decade < 4 ? count(10 ** decade) : `10${[...String(decade)].map((digit) => "\u2070\u00b9\u00b2\u00b3\u2074\u2075\u2076\u2077\u2078\u2079"[digit]).join("")}`) : null;
    return [s("line", { class: "grid", x1: LEFT, x2: WIDTH, y1: y, y2: y }), label];
  });
  return s("svg", { viewBox: `0 0 ${WIDTH} ${HEIGHT}`, "aria-hidden": "true" }, hatches(id), grid, rows.map(bar), ticks(rows, key, step));
}

function asTable(rows, key, head, kinds) {
  const line = (row) => h("tr", {}, h("th", { scope: "row" }, row[key]), kinds.map((kind) => h("td", {}, count(row[kind]))));
  return h("details", {}, h("summary", {}, "As numbers"), h("div", { class: "scroll" }, h("table", {}, h("thead", {}, h("tr", {}, h("th", { scope: "col" }, head), kinds.map((kind) => h("th", { scope: "col" }, NAMES[kind] ?? "positions")))), h("tbody", {}, rows.map(line)))));
}

const figure = (title, note, drawing, table) => h("figure", {}, h("figcaption", {}, h("h3", {}, title), note ? h("p", { class: "dim" }, note) : null), drawing, table);

/** All plots of `stats`. With `isTaken`, a filled cell is one whose piece was taken. */
export function plots(stats, isTaken) {
  const { counts: all, positions } = stats;
  const kinds = OUTCOMES.filter((outcome) => all[outcome] > 0);
  const key = h("dl", { class: "totals" }, h("div", {}, h("dt", {}, stats.counts_of === "reachable" ? "reachable positions" : "positions, reachable or not"), h("dd", {}, count(positions))), kinds.map((outcome) => h("div", { class: outcome }, h("dt", {}, h("span", { class: `chip ${outcome}` }, sign(outcome)), NAMES[outcome]), h("dd", {}, count(all[outcome]), h("small", {}, percent(all[outcome], positions))))));
  const filled = figure(isTaken ? "Outcome by pieces taken" : "Outcome by filled cells", "for the player to move", shares("by-filled", stats.by_filled, "filled"), asTable(stats.by_filled, "filled", isTaken ? "pieces taken" : "filled cells", kinds));
  const remote = stats.remoteness && figure("Moves to the end", "positions, on a logarithmic axis; the moves of both players", counts("remoteness", stats.remoteness, "plies", kinds), asTable(stats.remoteness, "plies", "moves", kinds));
  const number = ({ key, noun, heading }) => {
    const rows = stats[key];
    return rows && figure(heading, "positions, on a logarithmic axis", counts(key.replace("_", "-"), rows, key, ["count"]), asTable(rows, key, noun, ["count"]));
  };
  return [key, filled, remote, ...[SCORES, ...NUMBERS].map(number), ...(stats.values ? valuePlots(stats.values) : [])].filter(Boolean);
}

/** The common values and the temperatures of boards. */
function valuePlots(values) {
  const line = ({ value, boards }) => h("tr", {}, h("th", { scope: "row" }, value ?? "a value with a long name"), h("td", {}, count(boards)), h("td", {}, percent(boards, values.boards)));
  const table = h("div", { class: "scroll" }, h("table", {}, h("thead", {}, h("tr", {}, ["value", "boards", ""].map((name) => h("th", { scope: "col" }, name)))), h("tbody", {}, values.common.map(line))));
  const common = figure("Values of boards", `${count(values.different)} different ones of ${count(values.boards)} boards; the most common`, table, null);
  const [above, below = 1] = values.temperatures.step.split("/").map(Number);
  const rows = values.temperatures.boards.map((boards, n) => ({ from: (n * above) / below, boards }));
  const hot = values.hottest;
  const note = `boards that are no numbers, on a logarithmic axis; the hottest, ${hot.position ?? "no position of the game"}, has temperature ${hot.temperature}`;
  const heat = rows.length > 0 && figure("Temperatures", note, counts("temperature", rows, "from", ["boards"]), asTable(rows, "from", "from", ["boards"]));
  return [common, heat];
}
