// Picking: finds the move that the chosen places mean.
//
// A move has handles: sets of places that select it. The places picked so far mean a move if, among all handles that
// contain these places, one of its handles is a subset of all others. So the two ends of a run mean the run between
// them, not a longer one.

const contains = (handle, places) => places.every((place) => handle.includes(place));

/** Pairs of a move and one of its handles that contains all of `places`. */
export function candidates(moves, places) {
  return moves.flatMap((move) => move.handles.filter((handle) => contains(handle, places)).map((handle) => ({ move, handle })));
}

/** The moves with the smallest handle that contains `places`. There are several if only their texts differ, and none
 * if no handle is smallest. */
export function meant(moves, places) {
  const all = candidates(moves, places);
  const least = all.filter(({ handle }) => all.every((other) => contains(other.handle, handle)));
  return [...new Set(least.map(({ move }) => move))];
}

/** The result of picking `place` after `picked`: the meant moves, or the places that are now picked. */
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
  // If several moves are possible, the first place only begins a choice. From the second place on the smallest move is
  // meant.
  if (found.length > 0 && (only || picked.length > 0)) return { moves: found, picked: together };
  return { moves: [], picked: together };
}

/** What can follow the picked places: the moves that one of them picked again makes, and the places that can be picked next. */
export function following(moves, picked) {
  const all = candidates(moves, picked);
  const again = picked.length === 1 ? meant(moves, picked) : [];
  const next = [...new Set(all.flatMap(({ handle }) => handle.filter((place) => !picked.includes(place))))].sort((a, b) => a - b);
  return { again, next, most: Math.max(...all.map(({ handle }) => handle.length)) };
}

/** What a click at `place` would change for certain, as pairs of a place and its state: the changes of the meant moves, or those that all
 * possible moves share. */
export function preview(moves, picked, place) {
  const together = picked.includes(place) ? picked : [...picked, place];
  const found = meant(moves, together);
  const possible = found.length > 0 ? found : [...new Set(candidates(moves, together).map(({ move }) => move))];
  const [first, ...others] = possible.map(({ changes }) => changes);
  return (first ?? []).filter(([place, state]) => others.every((changes) => changes.some(([other, then]) => other === place && then === state)));
}

/** The move that a click at `place` would show: the smallest one with `picked` and `place`, or else the best move
 * that contains both. `moves` come best first. */
export function shown(moves, picked, place) {
  const together = picked.includes(place) ? picked : [...picked, place];
  const all = candidates(moves, together);
  if (all.length === 0) return null;
  const found = picked.length > 0 ? meant(moves, together) : [];
  return found[0] ?? moves.find((move) => all.some((candidate) => candidate.move === move));
}
