// The pictures of pieces, drawn around the middle of their place. Their colours are those of the sides: the style
// sheet reads --side, which `side` sets.

import { s } from "./dom.js";

/** The class that gives an element the colour of a side, 0 or 1. */
export const side = (number) => `side${number}`;

const glyph = (d, transform) => s("path", { class: "man", d, transform });

const CHESS = {
  queens: "M-32 -18L-18 4L-15 -27L0 0L15 -27L18 4L32 -18L23 20H-23ZM-26 23H26V32H-26Z",
  kings: "M-4 -36H4V-28H12V-20H4V-12H-4V-20H-12V-28H-4ZM-28 -2C-20 -16 -6 -14 0 -6C6 -14 20 -16 28 -2L20 20H-20ZM-25 23H25V32H-25Z",
  knights: "M-20 20C-20 2 2 2 0 -10L-16 -2L-26 -9L-10 -27L-6 -36L3 -28C24 -24 26 0 21 20ZM-26 23H26V32H-26Z",
  pawns: "M0 -32A14 14 0 0 1 8 -7L17 20H-17L-8 -7A14 14 0 0 1 0 -32ZM-24 23H24V32H-24Z",
};

/** The sign of a colour: a cross, a ring, or its letter. */
function signOf(letter) {
  if (letter === "X") return [s("path", { class: "stroke", d: "M-24 -24L24 24M24 -24L-24 24" })];
  if (letter === "O") return [s("circle", { class: "stroke", r: 27 })];
  return [s("text", { class: "letter", y: 1 }, letter)];
}

/** The piece `name` of the colour number `colour` (1 or 2). Discs have this radius. */
export function pieceOf(name, colour, letter, radius) {
  if (CHESS[name]) return [glyph(CHESS[name])];
  switch (name) {
    case "signs":
      return signOf(letter);
    case "cars":
      return [glyph("M-34 -17H10Q34 -14 34 0T10 17H-34ZM6 -11V11L18 7V-7Z", colour === 2 ? "rotate(-90)" : undefined)];
    case "arrows":
      return [s("path", { class: "stroke arrow", d: "M-24 24L22 -22M-6 -24H24V6" })];
    case "letters":
      return [s("circle", { class: "man", r: 34 }), s("text", { class: "letter on", y: 1 }, letter)];
    default:
      return [s("circle", { class: "man", r: radius }), s("circle", { class: "groove", r: radius - 10 })];
  }
}
