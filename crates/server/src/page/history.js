// The game so far as a picture: the winner after each ply, and the distance from the end. Perfect play is a straight
// line towards the winner's edge; a mistake is a step to the other side. Where scores are known, the height is the margin
// at the end: perfect play is level, and a mistake is a step.

import { h, s } from "./dom.js";
import { amount, inMoves, isScored } from "./values.js";

const HEIGHT = 214;
// The mark of a mistake has room between its dot and the name of a player.
const [LEFT, RIGHT, TOP, BOTTOM] = [14, 16, 36, 34];

/** The player who wins `entry` under perfect play, 0 or 1; null for a draw or an unknown outcome. */
function winner(entry) {
  const { mover } = entry;
  return { win: mover, loss: 1 - mover }[entry.value?.outcome] ?? null;
}

/** The points that player 0 has more than player 1 at the end, under perfect play from `entry`; null if they are not known. */
function margin(entry) {
  if (!isScored(entry.value)) return null;
  const ofMover = entry.lead + entry.value.score;
  return entry.mover === 0 ? ofMover : 0 - ofMover;
}

/** The points that ply `index` gave away. */
export function lost(entries, index) {
  const [before, after] = [margin(entries[index - 1]), margin(entries[index])];
  if (before === null || after === null) return 0;
  return entries[index - 1].mover === 0 ? before - after : after - before;
}

/** Returns whether ply `index` gave away a win or a draw, or points. */
export function isMistake(entries, index) {
  if (index === 0) return false;
  if (lost(entries, index) > 0) return true;
  const known = (entry) => entry.value && entry.value.outcome !== "unknown";
  if (!known(entries[index - 1]) || !known(entries[index])) return false;
  const { mover } = entries[index - 1];
  const worth = (at) => ({ [mover]: 1, [1 - mover]: -1 })[winner(entries[at])] ?? 0;
  return worth(index) < worth(index - 1);
}

function inPlayers(entry, players, unit) {
  const who = winner(entry);
  const points = margin(entry);
  if (points !== null && who !== null) return `a win for ${players[who]} by ${amount(Math.abs(points), unit)}`;
  if (entry.value?.outcome === "draw") return entry.value.remoteness ? `a draw in ${inMoves(entry.value.remoteness)}` : "a draw";
  if (who === null) return "not known";
  if (entry.value.remoteness === 0) return `${players[who]} won`;
  return `a win for ${players[who]}${entry.value.remoteness ? ` in ${inMoves(entry.value.remoteness)}` : ""}`;
}

/** The picture and the list of moves. Calls `goTo(index)` for a chosen entry. */
export function history({ entries, index, players, values, unit }, width, goTo) {
  const moves = h(
    "ol",
    { class: "plies" },
    entries.slice(1).map((entry, n) => {
      const at = n + 1;
      const mistake = values && isMistake(entries, at);
      const said = `${players[entries[n].mover]}: ${entry.text}${values ? `, then ${inPlayers(entry, players, unit)}` : ""}${mistake ? `, a mistake${lost(entries, at) > 0 ? ` that costs ${amount(lost(entries, at), unit)}` : ""}` : ""}`;
      return h("li", {}, h("button", { type: "button", class: `ply${at === index ? " now" : ""}${at > index ? " ahead" : ""}`, "aria-current": at === index ? "step" : null, "aria-label": said, title: said, onclick: () => goTo(at) }, h("span", { class: "number" }, at), entry.text, mistake ? h("span", { class: "mistake" }, "?") : null));
    }),
  );
  const start = h("button", { type: "button", class: `ply${index === 0 ? " now" : ""}`, "aria-current": index === 0 ? "step" : null, onclick: () => goTo(0) }, "Start");
  const list = h("div", { class: "plylist" }, start, moves);
  const isKnown = entries.some((entry) => entry.value && entry.value.outcome !== "unknown");
  if (!values || !isKnown) return [list];
  return [picture({ entries, index, players, unit }, width, goTo), list];
}

function picture({ entries, index, players, unit }, room, goTo) {
  const longest = Math.max(4, ...entries.map((entry) => entry.value?.remoteness ?? 0)) + 1;
  const step = Math.min(40, Math.max(12, (room - LEFT - RIGHT) / Math.max(8, entries.length - 1)));
  const width = Math.max(room, LEFT + RIGHT + step * (entries.length - 1));
  const middle = (HEIGHT + TOP - BOTTOM) / 2;
  const half = (HEIGHT - TOP - BOTTOM) / 2;
  const x = (at) => LEFT + step * at;
  // Where scores are known, the height is the number of points by which a player wins; else it is near the edge if the end is near.
  const most = 1.1 * Math.max(3, ...entries.map((entry) => Math.abs(margin(entry) ?? 0)));
  const y = (entry) => {
    const points = margin(entry);
    if (points !== null) return middle - (points / most) * half;
    const who = winner(entry);
    if (who === null) return middle;
    const near = (longest - (entry.value.remoteness ?? longest / 2)) / longest;
    return who === 0 ? middle - near * half : middle + near * half;
  };
  const points = entries.map((entry, at) => [x(at), y(entry)]);
  const path = (list) => list.map(([px, py], n) => `${n === 0 ? "M" : "L"}${px.toFixed(1)} ${py.toFixed(1)}`).join("");
  const dot = (entry, at) => {
    const [px, py] = points[at];
    const mistake = isMistake(entries, at);
    const kind = winner(entry) === null ? "even" : winner(entry) === 0 ? "first" : "second";
    const shape = kind === "second" ? s("rect", { x: -4.5, y: -4.5, width: 9, height: 9, rx: 1.5 }) : s("circle", { r: 5 });
    return s(
      "g",
      { class: `dot ${kind}${at === index ? " now" : ""}${at > index ? " ahead" : ""}${mistake ? " wrong" : ""}`, transform: `translate(${px.toFixed(1)} ${py.toFixed(1)})`, onclick: () => goTo(at), "data-ply": at },
      s("title", {}, `${at === 0 ? "Start" : `${at}. ${entry.text}`}: ${inPlayers(entry, players, unit)}`),
      s("rect", { class: "touch", x: -step / 2, y: -14, width: step, height: 28 }),
      shape,
      mistake ? s("text", { class: "mistake", y: kind === "second" ? 20 : -11 }, "?") : null,
    );
  };
  return h(
    "div",
    { class: "plot" },
    s(
      "svg",
      { viewBox: `0 0 ${width} ${HEIGHT}`, width, height: HEIGHT, "aria-hidden": "true" },
      s("rect", { class: "half first", x: 0, y: TOP, width, height: half }),
      s("rect", { class: "half second", x: 0, y: middle, width, height: half }),
      s("line", { class: "axis", x1: 0, x2: width, y1: middle, y2: middle }),
      s("line", { class: "cursor", x1: x(index), x2: x(index), y1: TOP, y2: HEIGHT - BOTTOM }),
      s("text", { class: "edge", x: 2, y: 14 }, `\u25cf a win for ${players[0]}`),
      s("text", { class: "edge", x: 2, y: HEIGHT - 6 }, `\u25a0 a win for ${players[1]}`),
      s("path", { class: "track ahead", d: path(points.slice(index)) }),
      s("path", { class: "track", d: path(points.slice(0, index + 1)) }),
      entries.map(dot),
    ),
  );
}
