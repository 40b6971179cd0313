// The line below the board: the move under the pointer, or what to click next.

import { following } from "./pick.js";
import { inWords } from "./values.js";

/** Names of a list: `b1`, `b1 or c2`, or nothing if there are too many. */
function either(names) {
  if (names.length > 3) return "";
  return names.length === 1 ? names[0] : `${names.slice(0, -1).join(", ")} or ${names.at(-1)}`;
}

/** What a click on the picked places has begun, and what may follow it: `Now click b3.` `own` is the state of a place with a piece of the
 * player to move. */
export function next({ view, moves, own }, picked) {
  const { again, next, most } = following(moves, picked);
  const name = (place) => view.places[place].name;
  const isEnemy = (place) => view.signs.length > 1 && view.states[place] > 0 && view.states[place] !== own;
  const isFilled = view.states[picked.at(-1)] > 0 && view.layout !== "edges";
  if (next.length === 0) return "";
  if (again.length > 0) return `Click ${name(picked[0])} again for ${again[0].text} alone, or ${either(next.map(name)) || "another one"} for ${most === 2 ? "both" : "more"}.`;
  if (isFilled) return `Now click where it goes${next.length > 3 ? "" : `: ${either(next.map(name))}`}.`;
  if (next.every(isEnemy)) return `Now click the piece to take: ${either(next.map(name)) || "any that is marked"}.`;
  return `Now click ${either(next.map(name)) || "another one that is marked"}.`;
}

/** A description of the move under the pointer. */
export function pointedAt(move, values) {
  if (!move) return "";
  return values && move.outcome !== "unknown" ? `${move.text}: ${inWords(move)}` : move.text;
}

/** What the hint `best` says: in a lost position it is no good move. */
export function hint(best, { outcome }) {
  return `Hint: ${best.text}.${outcome === "loss" ? " Every move loses here." : ""}`;
}

/** Why the place under the pointer has no move. Where pieces move, a place with a piece is not taken. */
export function refused({ view, moves, over, isTheirs }, place) {
  if (over) return "";
  const { name } = view.areas.find(({ name, places }) => name && places.includes(place)) ?? view.places[place];
  const isMoved = moves.some(({ handles }) => handles.flat().some((handle) => view.states[handle] > 0));
  return `${name}: ${isTheirs ? "the other side is to move" : isMoved ? "no move begins here" : view.states[place] > 0 && view.signs.length < 2 ? "taken" : "no move here"}`;
}
