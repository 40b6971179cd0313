// Values as signs and words, so that colour is never the only sign of an outcome.

const SIGNS = { win: "+", draw: "=", loss: "\u2212", unknown: "?" };
const WORDS = { win: "wins", draw: "draws", loss: "loses", unknown: "unknown" };
const FLIPPED = { win: "loss", draw: "draw", loss: "win", unknown: "unknown" };

/** The score in statistics. */
export const SCORES = { key: "score", noun: "score", heading: "Scores" };

/** The labels that are plain numbers: their keys in answers, and their names. */
export const NUMBERS = [
  { key: "nimber", noun: "nimber", heading: "Nimbers" },
  { key: "misere_nimber", noun: "mis\u00e8re nimber", heading: "Mis\u00e8re nimbers" },
];

/** The labels of `answer` that are plain numbers, in words: `nimber 3`. */
export const numbers = (answer) => NUMBERS.flatMap(({ key, noun }) => (typeof answer[key] === "number" ? [`${noun} ${answer[key]}`] : []));

export const sign = (outcome) => SIGNS[outcome] ?? "?";

/** The outcome for the other player. */
export const flip = (outcome) => FLIPPED[outcome] ?? "unknown";

/** Returns whether the score of a value is known. */
export const isScored = (value) => typeof value?.score === "number";

/** A number with its sign. */
export const signed = (number) => (number > 0 ? `+${number}` : number < 0 ? `\u2212${-number}` : "0");

/** A number of points: `1 box`, `3 boxes`. A unit is a plural in English. */
export function amount(number, unit) {
  const one = /(x|ch|sh|ss)es$/.test(unit) ? unit.slice(0, -2) : /[^s]s$/.test(unit) ? unit.slice(0, -1) : unit;
  return `${number} ${Math.abs(number) === 1 ? one : unit}`;
}

/** When the points of a score come: at the end if the board shows points, such as discs; otherwise with the moves. */
export const when = (view) => (view.shown_points?.some((number) => number > 0) ? "at the end" : "still to come");

/** The score, or the sign of the outcome and the number of moves: `+7`. */
export const short = (value) => (isScored(value) ? signed(value.score) : sign(value.outcome) + (value.remoteness ?? ""));

/** A number of moves, those of both players together: `7 moves`, or `7 more moves`. */
export const inMoves = (number, more = "") => `${number} ${more}${number === 1 ? "move" : "moves"}`;

/** A value in words: `wins in 7 moves`, or `wins, score +2`. */
export function inWords(value) {
  const word = WORDS[value.outcome] ?? "unknown";
  if (isScored(value)) return `${word}, score ${signed(value.score)}`;
  return value.remoteness === null || value.remoteness === undefined ? word : `${word} in ${inMoves(value.remoteness)}`;
}

/** Returns whether `a` is a better move than `b`: by score if it is known; else by outcome, then by a quicker win or a slower draw or loss. */
export function isBetter(a, b) {
  if (isScored(a) && isScored(b)) return a.score > b.score;
  const rank = { win: 0, draw: 1, unknown: 2, loss: 3 };
  if (a.outcome !== b.outcome) return rank[a.outcome] < rank[b.outcome];
  const [mine, other] = [a.remoteness ?? 0, b.remoteness ?? 0];
  return a.outcome === "win" ? mine < other : mine > other;
}

/** Returns whether the first of `moves` is known to be the best. The moves of a lost position have no order without plies or scores. */
export function tellsBest(moves, value) {
  if (moves.length === 0 || moves[0].outcome === "unknown" || value.outcome === "unknown") return false;
  return moves.length === 1 || value.outcome !== "loss" || isScored(value) || typeof value.remoteness === "number";
}

/** Capitalizes the first letter of a name. */
export const capital = (text) => text.charAt(0).toUpperCase() + text.slice(1);

export const count = (number) => number.toLocaleString("en");
