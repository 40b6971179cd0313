// What a move did, in words: "b1 gives the win away: now a win for O in 5 more moves." Where values are hidden, the words tell only what
// everybody sees: "b3 gains 1 box."

import { isMistake, lost } from "./history.js";
import { sideOf } from "./played.js";
import { amount, capital, inMoves, isScored } from "./values.js";

const KEPT = { win: "win", draw: "draw" };

/** Who wins from entry `index` on, and when: `a win for O in 5 more moves`. */
function standing({ entries, players }, index) {
  const { mover, value } = entries[index];
  if (value.outcome === "draw") return "a draw";
  const who = capital(players[value.outcome === "win" ? mover : 1 - mover]);
  // The name of a side may be a plural, such as Hounds, so no verb follows it.
  return `a win for ${who}${value.remoteness ? ` in ${inMoves(value.remoteness, "more ")}` : ""}`;
}

/** The pieces of the other side that ply `index` took from the board or turned over: `takes 1 piece`. */
function taken(session, index) {
  const [before, after] = [session.view(index - 1), session.view(index)];
  if (!before?.sides || before.signs.length < 2 || !after) return null;
  const own = sideOf(session, session.mover(index - 1)) + 1;
  const count = ({ states }, state) => states.filter((one) => one === state).length;
  const number = count(before, 3 - own) - count(after, 3 - own);
  if (number <= 0) return null;
  return `${count(after, own) - count(before, own) > number ? "turns" : "takes"} ${amount(number, "pieces")}`;
}

/** What ply `index` did, without a word about values; empty if the board says it all. */
function happened(session, index) {
  const { gain, text } = session.entries[index];
  const done = [gain > 0 && `gains ${amount(gain, session.view(index)?.unit ?? "points")}`, taken(session, index)].filter(Boolean);
  return done.length === 0 ? "" : `${text} ${done.join(" and ")}.`;
}

/** What ply `index` did; empty if there is nothing to say. */
export function remark(session, index, values) {
  const { entries, players } = session;
  const [before, after] = [entries[index - 1]?.value, entries[index]?.value];
  if (!before || !after) return "";
  if (!values || before.outcome === "unknown" || after.outcome === "unknown") return happened(session, index);
  const { text: move } = entries[index];
  const points = lost(entries, index);
  const isSame = winnerOf(entries[index - 1]) === winnerOf(entries[index]);
  const now = standing(session, index);
  const isFinal = after.remoteness === 0 || session.view(index)?.moves.length === 0;
  if (isMistake(entries, index)) {
    const away = KEPT[before.outcome];
    const costs = `costs ${capital(players[entries[index - 1].mover])} ${amount(points, session.view(index)?.unit ?? "points")}`;
    const what = points > 0 && (isSame || !away) ? costs : `gives the ${away} away`;
    return `${move} ${what}: ${isFinal ? "the game is over," : isSame ? "still" : "now"} ${now}.`;
  }
  if (isFinal) return `${move} ends the game: ${now}.`;
  if (before.outcome === "loss") return `No move helps. ${move}: still ${now}.`;
  const longer = isScored(before) || before.outcome !== "win" || !before.remoteness || !after.remoteness ? 0 : after.remoteness - (before.remoteness - 1);
  const slow = longer > 0 ? `, but takes ${inMoves(longer)} longer than it must` : "";
  return `${move} keeps the ${KEPT[before.outcome]}${slow}${before.outcome === "draw" ? "" : `: ${now}`}.`;
}

function winnerOf({ mover, value }) {
  return { win: mover, loss: 1 - mover }[value.outcome] ?? null;
}
