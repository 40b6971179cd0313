// The line above the board: whose turn it is, and what the position is worth.

import { h } from "./dom.js";
import { named } from "./played.js";
import { amount, capital, count, inMoves, isScored, short, signed, when } from "./values.js";

/** By how much a player wins at the end: ` by 2 boxes`. */
function by(session, value) {
  const margin = isScored(value) ? Math.abs(session.entries[session.index].lead + value.score) : 0;
  return margin === 0 ? "" : ` by ${amount(margin, session.current.view.unit)}`;
}

/** What the score says: `score +2: 2 boxes more than the other player, still to come`. */
function stillToCome(session, { score }) {
  const { unit, aim } = session.current.view;
  const then = when(session.current.view);
  if (score === 0) return `score 0: as many ${unit} as the other player, ${then}`;
  const more = score > 0 === (aim === "most") ? "more" : "fewer";
  return `score ${signed(score)}: ${amount(Math.abs(score), unit)} ${more} than the other player, ${then}`;
}

/** The line above the board, and the text for screen readers. */
export function verdict(session, values) {
  const { value, over, moves, problem } = session.current;
  const [mover, other] = session.mover() === 0 ? session.players : [...session.players].reverse();
  const { index } = session;
  const toMove = index > 0 && session.mover() === session.mover(index - 1) ? "to move again" : "to move";
  const turn = (name) => h("strong", {}, name === mover ? named(session, session.mover())() : name);
  if (over) {
    const won = { win: mover, loss: other }[value.outcome];
    const end = value.outcome === "draw" ? "a draw" : won === undefined ? "no move is left" : `${capital(won)} won${by(session, value)}`;
    return { parts: [h("span", { class: "chip over" }, "over"), h("span", {}, turn("The game is over"), `: ${end}.`)], said: `The game is over: ${end}.` };
  }
  if (!values) return { parts: [h("span", {}, turn(mover), ` ${toMove}.`)], said: `${capital(mover)} ${toMove}.` };
  if (session.current.isAwaited) {
    return { parts: [h("span", { class: "chip unknown" }, "\u2026"), h("span", {}, turn(mover), ` ${toMove}: computing the values.`)], said: `${capital(mover)} ${toMove}. Computing the values.` };
  }
  if (problem || value.outcome === "unknown") {
    const helps = session.current.probe?.remedy?.includes("build") ? " A table would tell it." : "";
    return { parts: [h("span", { class: "chip unknown" }, "?"), h("span", {}, turn(mover), ` ${toMove}: the value is not known.${helps}`)], said: `${capital(mover)} ${toMove}. The value is not known.${helps}` };
  }
  if (isScored(value)) return scored(session, turn, mover, toMove);
  const best = moves.filter((move) => move.outcome === value.outcome).length;
  const many = `${count(best)} of ${count(moves.length)} ${moves.length === 1 ? "move" : "moves"}`;
  const why = { win: `${many} ${best === 1 ? "wins" : "win"}`, draw: `${many} ${best === 1 ? "draws" : "draw"}`, loss: "every move loses" }[value.outcome];
  const long = value.remoteness === null ? "" : ` in ${inMoves(value.remoteness)}`;
  // The name of a side may be a plural, such as Hounds, so no verb in the present tense follows it.
  const word = { win: "a win", draw: "a draw", loss: "a loss" }[value.outcome];
  return {
    parts: [h("span", { class: `chip ${value.outcome}` }, short(value)), h("span", {}, turn(mover), ` ${toMove}: ${word}${long}`, h("span", { class: "dim" }, ` \u00b7 ${why}${value.numbers.map((number) => ` \u00b7 ${number}`).join("")}`))],
    said: `${capital(mover)} ${toMove}: ${word}${long}; ${why}.`,
  };
}

/** The line where the score is known. */
function scored(session, turn, mover, toMove) {
  const { value, moves } = session.current;
  const best = moves.filter((move) => isScored(move) && move.score === value.score).length;
  const many = `${count(best)} of ${count(moves.length)} ${moves.length === 1 ? "move" : "moves"} ${best === 1 ? "keeps" : "keep"} it`;
  const word = { win: "a win", draw: "a draw", loss: "a loss" }[value.outcome] + by(session, value);
  const why = stillToCome(session, value);
  return {
    parts: [h("span", { class: `chip ${value.outcome}` }, short(value)), h("span", {}, turn(mover), ` ${toMove}: ${word}`, h("span", { class: "dim" }, ` \u00b7 ${why} \u00b7 ${many}`))],
    said: `${capital(mover)} ${toMove}: ${word}; ${why}; ${many}.`,
  };
}
