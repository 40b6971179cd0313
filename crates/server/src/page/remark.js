// What the last moves did, in words: "b1 gives the win away: now a win for O in 5 plies."

import { isMistake, lost } from "./history.js";
import { amount, capital, isScored, plies } from "./values.js";

const KEPT = { win: "win", draw: "draw" };

/** Who wins from entry `index` on, and when: `a win for O in 5 plies`. */
function standing({ entries, players }, index) {
  const { mover, value } = entries[index];
  if (value.outcome === "draw") return "a draw";
  const who = capital(players[value.outcome === "win" ? mover : 1 - mover]);
  // The name of a side may be a plural, such as Hounds, so no verb follows it.
  return `a win for ${who}${value.remoteness ? ` in ${plies(value.remoteness)}` : ""}`;
}

/** What ply `index` did; empty if it is not known. */
export function remark(session, index) {
  const { entries } = session;
  const [before, after] = [entries[index - 1]?.value, entries[index]?.value];
  const { move } = entries[index] ?? {};
  if (!before || !after || before.outcome === "unknown" || after.outcome === "unknown") return "";
  const now = standing(session, index);
  const points = lost(entries, index);
  const isFinal = after.remoteness === 0 || session.view(index)?.moves.length === 0;
  if (isMistake(entries, index)) {
    const away = KEPT[before.outcome];
    const isSame = winnerOf(entries[index - 1]) === winnerOf(entries[index]);
    const given = points > 0 && (isSame || !away) ? amount(points, session.view(index)?.unit ?? "points") : `the ${away}`;
    return `${move} gives ${given} away: ${isFinal ? "the game is over," : "now"} ${now}.`;
  }
  if (isFinal) return `${move} ends the game: ${now}.`;
  if (before.outcome === "loss") return `No move helps. ${move}: still ${now}.`;
  const longer = isScored(before) || before.outcome !== "win" || !before.remoteness || !after.remoteness ? 0 : after.remoteness - (before.remoteness - 1);
  const slow = longer > 0 ? `, but takes ${plies(longer)} longer than it must` : "";
  return `${move} keeps the ${KEPT[before.outcome]}${slow}${before.outcome === "draw" ? "" : `: ${now}`}.`;
}

function winnerOf({ mover, value }) {
  return { win: mover, loss: 1 - mover }[value.outcome] ?? null;
}
