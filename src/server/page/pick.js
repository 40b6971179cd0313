// Which move is meant by the places that were pointed at.
//
// A move has handles: sets of places by which it is pointed at. The places picked so far name a move if one handle that
// contains them lies in all others that do: the two ends of a run mean the run between them, and no longer one.

const contains = (handle, places) => places.every((place) => handle.includes(place));

/** Pairs of a move and a handle of it that contains all of `places`. */
export function candidates(moves, places) {
  return moves.flatMap((move) => move.handles.filter((handle) => contains(handle, places)).map((handle) => ({ move, handle })));
}

/** The moves with the least handle that contains `places`: several if only their texts tell them apart; none if no least
 * handle is there. */
export function meant(moves, places) {
  const all = candidates(moves, places);
  const least = all.filter(({ handle }) => all.every((other) => contains(other.handle, handle)));
  return [...new Set(least.map(({ move }) => move))];
}

/** What picking `place` after `picked` leads to: the moves meant, or the places picked now. */
export function pick(moves, picked, place) {
  if (picked.length > 0 && picked.includes(place)) {
    const exact = meant(moves, picked);
    if (picked.length === 1 && exact.length > 0) return { moves: exact, picked };
    return { moves: [], picked: [] };
  }
  const together = [...picked, place];
  const all = candidates(moves, together);
  if (all.length === 0) return picked.length > 0 ? pick(moves, [], place) : { moves: [], picked: [] };
  const found = meant(moves, together);
  const only = new Set(all.map(({ move }) => move)).size === found.length;
  // The first place of several possible moves is a beginning; from the second on the least move is meant.
  if (found.length > 0 && (only || picked.length > 0)) return { moves: found, picked: together };
  return { moves: [], picked: together };
}

/** The move that a click at `place` would show: the least one with `picked` and `place`, or the best of those that have
 * both. `moves` come best first. */
export function shown(moves, picked, place) {
  const together = picked.includes(place) ? picked : [...picked, place];
  const all = candidates(moves, together);
  if (all.length === 0) return null;
  const found = picked.length > 0 ? meant(moves, together) : [];
  return found[0] ?? moves.find((move) => all.some((candidate) => candidate.move === move));
}
