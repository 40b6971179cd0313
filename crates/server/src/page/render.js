// Shows the game: the board and all that stands around it.

import { board, cancel, goTo, offBoard, opponent, play, point, sit } from "./acts.js";
import * as api from "./api.js";
import { chain } from "./chain.js";
import { byId, h, show } from "./dom.js";
import { history as historyOf } from "./history.js";
import { list } from "./moves.js";
import { filledSoFar, named, score, sideOf } from "./played.js";
import { remark } from "./remark.js";
import { remember } from "./route.js";
import { attempt, notice, say } from "./say.js";
import { server, title } from "./server.js";
import { canTurn, dress, isTaken, turned } from "./shapes.js";
import { session, state, values } from "./state.js";
import { capital, isScored, sign, tellsBest, when } from "./values.js";
import { verdict } from "./verdict.js";

/** What the last move did, and if the server made it, also its moves before it and the move to which they reply. */
function remarks() {
  let first = session.index;
  while (first > 1 && opponent.moves(first - 1)) first--;
  return Array.from({ length: session.index - first + 1 }, (_, n) => remark(session, first + n, values())).filter(Boolean).join(" ");
}

/** The view as the player sees it. */
const seen = (view) => (state.isTurned && canTurn(view) ? turned(view) : view);

/** The places that the last move changed; at the beginning, the place that the side to move names, as in `first-c3`. */
function lastPlaces(view, index) {
  const named = view.in_hand ? -1 : view.places.findIndex(({ name }) => view.position.endsWith(`-${name}`));
  return index === 0 && named >= 0 ? [named] : session.changesAt(index);
}

/** Shows what the game is about, and its rules in words. */
export function describe() {
  const { game, rules: text } = session.subject;
  const { summary = "", rules } = server.games.find(({ name }) => name === game) ?? ((server.own?.text === text && server.own) || {});
  byId("summary").textContent = capital(summary);
  byId("ruletext").hidden = !rules;
  byId("ruletext").lastChild.textContent = rules ?? "";
  byId("paper-rules").textContent = rules ?? "";
}

export function render() {
  const { current, entries, index } = session;
  if (!current) return;
  const held = document.querySelector(":focus-visible");
  const moveList = byId("moves").contains(held) ? byId("moves") : null;
  byId("play").classList.toggle("setting-up", state.setUp !== null);
  if (state.setUp) return board.render({ view: seen(state.setUp.view), moves: [], active: false, values: false, hint: null, last: [], groups: [], own: null, by: {}, edit: state.setUp.edit });
  const { view, moves, value, over, probe } = current;
  const name = session.subject.game ?? "your rules";
  document.title = `${title()} \u00b7 tablegen`;
  byId("title").textContent = title();
  describe();
  document.documentElement.toggleAttribute("data-hidden-values", !values());
  dress(byId("play"), view.looks);
  byId("current").textContent = title();
  byId("current").dataset.game = name;
  const { parts, said } = verdict(session, values());
  const { text, isGuess } = entries[index];
  // The server answers a move, and no step back.
  const still = opponent.moves() && !over && !opponent.isThinking && index + 1 < entries.length && "The other side moves here: Redo goes on with its move.";
  byId("verdict").replaceChildren(...parts, ...(isGuess ? [h("span", { class: "dim" }, ` \u00b7 ${text} was a guess, which is not proved to be a best move`)] : []));
  const done = [remarks(), probe?.reachable === false && "Play cannot reach this position from the start: the values are for the board as it is shown."].filter(Boolean).join(" ");
  show(byId("remark"), [done, still].filter(Boolean).join(" "));
  byId("turn").hidden = !canTurn(view);
  offerSetUp(view);
  byId("skills").hidden = opponent.seat === "none";
  say([state.spokenMove, state.spokenMove && done, said, still].filter(Boolean).join(" "));
  state.spokenMove = null;
  if (current.problem) notice(current.problem);
  else if (current.probe) notice();
  byId("board").dataset.position = session.textOf(index);
  const active = !over && !opponent.moves();
  const best = moves[0]?.outcome === "unknown" ? null : moves[0];
  const told = best && tellsBest(moves, value) ? best : null;
  const filled = filledSoFar(session);
  board.render({ view: seen(view), moves, active, values: values(), hint: state.hinted ? told : null, last: lastPlaces(view, index), side: sideOf(session, session.mover()), ...filled });
  show(byId("score"), score(session));
  show(byId("beside"), active && moves.filter((move) => move.handles.length === 0 && move.joint === null).map(offBoard));
  show(byId("chain"), chain(session));
  byId("pointed").textContent = "";
  byId("back").disabled = index === 0;
  byId("forth").disabled = index + 1 >= entries.length;
  byId("hint").disabled = !active || !told;
  byId("hint").setAttribute("aria-pressed", state.hinted);
  byId("best").disabled = over || !best;
  byId("line").disabled = over || !probe;
  byId("moves").replaceChildren(...list(moves, { values: values(), active, best }, { play, point: (move) => point(move, null) }));
  const game = values() && probe?.game_value;
  byId("value").hidden = !game;
  drawValue(game);
  drawHistory();
  players();
  const draws = probe && moves.some((move) => move.outcome === "draw");
  const isUnhinted = active && !best && !current.isAwaited;
  byId("legend").replaceChildren(...(isUnhinted ? [h("span", { class: "dim", id: "unhinted" }, "Hint and Best move need values, which are not known here.")] : []), ...(values() && best ? ["win", draws && "draw", "loss"].filter(Boolean).map((outcome) => h("span", {}, h("span", { class: `chip ${outcome}` }, sign(outcome)), { win: "wins", draw: "draws", loss: "loses" }[outcome])) : []), ...(values() && isScored(best) ? [h("span", { class: "dim" }, `the number: ${view.unit} ${view.aim === "fewest" ? "fewer" : "more"} than the other player, ${when(view)}`)] : values() && best && best.remoteness !== null ? [h("span", { class: "dim", title: "the moves of both players together, with the move itself" }, "the number: moves to the end")] : []));
  byId("table").hidden = !probe || probe.source === "search";
  refocus(held, moveList);
}

/** Moves the focus of the keyboard on if a new position has no use for what `held` it: to the first move if it was in the `list` of moves, or else to the board. */
function refocus(held, list) {
  if (!held || (held.isConnected && !held.disabled && held.checkVisibility()) || document.activeElement.closest("#board, #history")) return;
  (list?.querySelector("button:enabled") ?? board).focus();
}

/** Shows the value of the board as a game, unless another board is shown by then. */
async function drawValue(game) {
  state.valued = game;
  if (!game) return show(byId("value-body"));
  await attempt(async () => {
    const { section } = await api.load("gamevalue");
    if (state.valued === game) show(byId("value-body"), section(game));
  });
}

export function drawHistory() {
  const room = byId("history").clientWidth;
  if (room === 0) return;
  const isHeld = byId("history").querySelector(":focus-visible") !== null;
  byId("history").replaceChildren(...historyOf({ entries: session.entries, index: session.index, players: session.players.map(capital), values: values(), unit: session.current.view.unit }, room, goTo), ...asides());
  if (isHeld) byId("history").querySelector(".ply.now").focus();
}

/** Buttons for the lines of play that another move replaced. */
function asides() {
  const name = ({ after, plies }) => `${after + 1}. ${plies.slice(0, 5).map(({ text }) => text).join(" ")}${plies.length > 5 ? " …" : ""}`;
  const back = async (aside) => {
    cancel();
    await attempt(async () => {
      if (await session.restore(aside)) await remember();
    });
  };
  return session.asides.length > 0 ? [h("p", { class: "asides dim" }, "Other lines: ", session.asides.map((aside) => h("button", { type: "button", class: "ply", onclick: () => back(aside) }, name(aside))))] : [];
}

/** The choice who plays: two people, or a person against perfect play. */
function players() {
  const [first, second] = [0, 1].map((player) => named(session, player));
  const seats = byId("opponent");
  const key = JSON.stringify([session.players, session.current.view.looks]);
  if (seats.dataset.key !== key) {
    seats.dataset.key = key;
    const seat = (value, ...label) => h("label", { class: "seat" }, h("input", { type: "radio", name: "opponent", value, onchange: () => sit(value) }), h("span", {}, label));
    seats.replaceChildren(h("legend", { class: "unseen" }, "Who plays"), seat("none", "Two people"), seat("1", "You play ", first()), seat("0", "You play ", second()));
  }
  seats.querySelector(`[value="${opponent.seat}"]`).checked = true;
}

/** Shows the button of the position editor if it knows how positions like that of `view` are written. */
async function offerSetUp(view) {
  const { formOf } = await api.load("written").catch(() => ({}));
  if (session.current?.view === view) byId("setpieces").hidden = !formOf?.(view);
}

/** Shows the statistics of the table once the user opens them. */
export async function statistics() {
  const details = byId("table");
  const { subject, current } = session;
  const has = current?.probe && current.probe.source !== "search";
  if (!details.open || details.hidden || !has || details.dataset.of === current.view.game) return;
  details.dataset.of = current.view.game;
  show(byId("stats"), h("p", { class: "dim" }, "Counting\u2026"));
  try {
    const [stats, { plots }] = await Promise.all([api.about("stats", subject), api.load("stats")]);
    if (subject === session.subject) show(byId("stats"), plots(stats, isTaken(current.view)));
  } catch (error) {
    if (subject === session.subject) show(byId("stats"), h("p", { class: "dim" }, error.message));
    delete details.dataset.of;
  }
}
