// What the plies so far have done to the board: who filled each place, and who owns each area.

import { h } from "./dom.js";
import { amount, capital } from "./values.js";

/** The side of a player, 0 or 1, in the order of the colours of the looks. */
export function sideOf(session, player) {
  const { sides } = session.current.view;
  const at = sides?.indexOf(session.players[player]) ?? -1;
  return at < 0 ? player : at;
}

/** The places of each move so far, which bars join, with its side; the places that moves named; the side that filled
 * each place; the owner of each area; and the names of the sides. */
export function filledSoFar(session) {
  const { view } = session.current;
  const groups = [];
  const own = new Set();
  const [by, owners] = [{}, {}];
  const filled = new Set();
  let changed = 0;
  for (let at = 1; at <= session.index; at++) {
    const places = session.handlesAt(at);
    const side = sideOf(session, session.mover(at - 1));
    groups.push({ places, side });
    const changes = session.changesAt(at);
    changed += changes.length;
    places.forEach((place) => own.add(place));
    for (const place of changes) {
      by[place] = side;
      filled.add(place);
    }
    view.areas.forEach(({ places }, n) => {
      const isClosed = session.view(at)?.states && places.every((place) => session.view(at).states[place] > 0);
      if (isClosed && owners[n] === undefined && places.some((place) => changes.includes(place))) owners[n] = side;
    });
  }
  // Where pieces move, a place that a move named may be free again, and all pieces look alike.
  const isWhole = changed === view.states.filter((state) => state > 0).length && [...filled].every((place) => view.states[place] > 0);
  return { groups, own: isWhole ? own : null, by: view.signs.length > 1 ? {} : by, owners, names: view.sides ?? session.players };
}

/** What each side has: its pieces in hand, or its points where the game counts points. */
export function score(session) {
  const { view } = session.current;
  if (view.in_hand?.some((left) => left > 0)) return view.in_hand.map((left, side) => h("span", { class: `token side${side}` }, capital(view.sides[side]), " ", h("strong", {}, `${left} in hand`)));
  const points = session.points();
  return points?.map((number, player) => h("span", {}, named(session, player)(), " ", h("strong", {}, amount(number, view.unit)), view.counted && ` ${view.counted}`));
}

/** The name of a player, with the colour of its side. */
export function named(session, player) {
  const [first, second] = session.current.view.looks.colours;
  const isColoured = first !== second || session.current.view.looks.borders.some((edges) => edges.length > 0);
  return () => h("span", { class: isColoured ? `token side${sideOf(session, player)}` : "" }, capital(session.players[player]));
}
