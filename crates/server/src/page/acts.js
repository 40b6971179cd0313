// What a player does: moves, steps through the game, asks for a hint, and chooses who plays.

import { Board } from "./board.js";
import { byId, h, show } from "./dom.js";
import * as guide from "./guide.js";
import { Opponent } from "./opponent.js";
import { sideOf } from "./played.js";
import { render } from "./render.js";
import { remember } from "./route.js";
import { attempt, say } from "./say.js";
import { session, skill, state, values } from "./state.js";
import { capital, short, tellsBest } from "./values.js";

export const board = new Board(byId("board"), { play: offer, point, say });

export const opponent = new Opponent(session, { make: (move) => make(move, true), attempt, skill });

/** Forgets what waits for an answer: a reply, or a choice between moves. */
export function cancel() {
  opponent.cancel();
  show(byId("choice"));
}

/** The button of a move, with its value if values are shown. */
function moveButton(move, act) {
  const isValued = values() && move.outcome !== "unknown";
  return h("button", { type: "button", class: `move ${isValued ? move.outcome : ""}`, onclick: act }, move.text, isValued ? h("span", { class: `chip ${move.outcome}` }, short(move)) : null);
}

/** The button of a move that no click on the board makes, such as a pass. */
export const offBoard = (move) => moveButton(move, () => play(move));

/** Makes the chosen move, or asks which of several moves is meant. */
function offer(moves) {
  if (moves.length === 1) return void play(moves[0]);
  const close = () => {
    show(byId("choice"));
    board.focus();
  };
  show(byId("choice"), h("p", { id: "which" }, "Which move?"), h("div", { class: "buttons", role: "group", "aria-labelledby": "which" }, moves.map((move) => moveButton(move, () => (close(), play(move)))), h("button", { type: "button", class: "quiet", onclick: close }, "Neither")));
  byId("choice").querySelector("button").focus();
}

export async function play(move) {
  if (opponent.moves()) return;
  const isRight = state.exercise?.judge(session.current.view.position, move);
  // A wrong answer is not made.
  if (isRight === false) return board.clear();
  await make(move, false, isRight && "Right.");
}

/** Makes a move. A screen reader says `before` first. */
async function make(move, isReply, before) {
  cancel();
  show(byId("refusal"));
  state.spokenMove = [before, `${capital(session.players[session.mover()])} played ${move.text}.`].filter(Boolean).join(" ");
  await attempt(async () => {
    // One step of the browser's history is a move together with the reply of perfect play.
    if (await session.play(move)) await remember(isReply);
  });
}

export async function goTo(index) {
  cancel();
  await attempt(async () => {
    if (await session.goTo(index)) await remember();
  });
}

/** Makes a move again that was taken back; against the server, also the moves that it made in reply. */
export function forth() {
  let to = session.index + 1;
  while (to + 1 < session.entries.length && opponent.moves(to)) to++;
  return goTo(to);
}

/** Takes back a move; against the server, also the moves that it made in reply. */
export function back() {
  let to = session.index - 1;
  while (to > 0 && opponent.moves(to)) to--;
  return goTo(to);
}

export function hint() {
  state.hinted = !state.hinted;
  if (state.hinted) state.exercise?.helped(session.current.view.position, "hint");
  render();
  const { moves, value } = session.current ?? { moves: [] };
  const best = moves[0];
  if (!state.hinted || !best || !tellsBest(moves, value)) return;
  const text = guide.hint(best, value);
  byId("pointed").textContent = text;
  say(text);
}

export function line() {
  state.exercise?.helped(session.current.view.position);
  return attempt(async () => {
    await session.layOut();
    say(`Best line: ${session.entries.slice(session.index + 1).map(({ text }) => text).join(", ")}.`);
  });
}

export async function best() {
  const { moves, view } = session.current;
  if (moves.length === 0) return;
  state.exercise?.helped(view.position);
  const move = await opponent.sought("perfect");
  if (move) await make(move);
}

/** Says what the pointer is at: a move, what to click next, or why there is no move. */
export function point(move, place, picked = []) {
  const { current } = session;
  if (!current) return;
  const { view, moves, over } = current;
  const isAway = place === null || picked.includes(place);
  let text = guide.pointedAt(move, values());
  if (picked.length > 0 && isAway) text = guide.next({ view, moves, own: sideOf(session, session.mover()) + 1 }, picked);
  else if (!move && place !== null) text = guide.refused({ view, moves, over, isTheirs: opponent.moves() }, place);
  byId("pointed").textContent = text;
  if (picked.length > 0 && isAway) say(text);
}

export function turn() {
  state.isTurned = !state.isTurned;
  byId("turn").setAttribute("aria-pressed", state.isTurned);
  render();
}

/** Lets the server move for a player, or for nobody. */
export function sit(value) {
  opponent.seat = value;
  cancel();
  opponent.answer();
  render();
  remember(true);
}
