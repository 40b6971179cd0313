// The motion of pieces: they slide, fall, or appear. There is none if the user prefers reduced motion.

import { UNIT } from "./shapes.js";

const isReduced = matchMedia("(prefers-reduced-motion: reduce)");

/** Moves the pieces that differ between two views of one board. `places` are the elements of the places. */
export function moved(before, after, places) {
  if (isReduced.matches || before?.states.length !== after.states.length || after.layout === "words") return;
  const changed = after.states.flatMap((state, n) => (state !== before.states[n] ? [n] : []));
  // A jump to another position is no move.
  if (changed.length > 12) return;
  const left = changed.filter((n) => after.states[n] === 0);
  for (const n of changed.filter((n) => after.states[n] > 0)) {
    const from = left.find((other) => before.states[other] === after.states[n]);
    const [x, y] = after.places[n].at;
    const piece = places[n].querySelector(".piece");
    if (from !== undefined) {
      const [fx, fy] = after.places[from].at;
      slide(piece, [(fx - x) * UNIT, (fy - y) * UNIT], 220, "ease-in-out");
    } else if (after.looks.board === "rack") {
      slide(piece, [0, -(y + 0.6) * UNIT], 160 + 70 * y, "cubic-bezier(.55,.05,.85,.6)");
    } else {
      piece?.animate([{ opacity: 0 }, { opacity: 1 }], { duration: 140 });
    }
  }
}

function slide(piece, [x, y], duration, easing) {
  piece?.animate([{ transform: `translate(${x}px, ${y}px)` }, { transform: "none" }], { duration, easing });
}
