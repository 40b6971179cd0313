// The main module of the page: requests, display and buttons.

import * as address from "./address.js";
import * as api from "./api.js";
import { Board, pointedAt } from "./board.js";
import { chain } from "./chain.js";
import { byId, h, show } from "./dom.js";
import { section as valueOf } from "./gamevalue.js";
import { history as historyOf } from "./history.js";
import { list } from "./moves.js";
import { Session } from "./session.js";
import { Setup } from "./setup.js";
import { plots } from "./stats.js";
import * as theme from "./theme.js";
import { capital, count, flip, inWords, plies, short } from "./values.js";

/** The time that perfect play waits before its move, in milliseconds. */
const PAUSE = 450;

const session = new Session();
let games = [];
/** The player for whom perfect play moves: "none", "0" or "1". */
let opponent = "none";
let hinted = false;
/** True if the first entry is the start of the game. The address then names no position. */
let isFromStart = true;
/** A timer for a move after the pause. */
let pending = 0;
let spokenMove = null;

const values = () => byId("values").checked;
const isTheirs = () => opponent !== "none" && session.mover() === Number(opponent);

const board = new Board(byId("board"), { play: offer, point });
const setup = new Setup(byId("setup-body"), { open: (subject) => open(subject) });

/** Shows an error, or clears the last one. */
function notice(error) {
  const text = error?.message ?? error ?? "";
  show(byId("notice"), text ? h("p", {}, capital(text)) : null);
}

/** Runs the action of a button. Returns its error, and shows it unless the request was only aborted. */
async function attempt(action) {
  try {
    notice();
    await action();
  } catch (error) {
    if (error.name !== "AbortError") notice(error);
    return error;
  }
}

/** Replaces a text that the game needs, and `subject` lacks, by its sample. */
function complete(subject) {
  const options = { ...subject.options };
  for (const { name, sample } of games.find((game) => game.name === subject.game)?.options ?? []) {
    if (sample !== undefined && !(name in options)) options[name] = sample;
  }
  return { ...subject, options };
}

/** Opens a board. Returns the error, if there is one. */
async function open(given, position, isAddress = false) {
  const subject = complete(given);
  cancel();
  show(byId("refusal"));
  byId("board").setAttribute("aria-busy", "true");
  const error = await attempt(async () => {
    if (!(await session.open(subject, position))) return;
    isFromStart = !position;
    setup.show(subject);
    if (!isAddress) await remember(false);
    answer();
  });
  byId("board").removeAttribute("aria-busy");
  return error;
}

/** Stores the position in the address. */
async function remember(isMove) {
  const { subject } = session;
  const position = session.index === 0 && isFromStart ? null : session.entries[session.index].position;
  const hash = await address.write(subject, position);
  if (subject !== session.subject || hash === location.hash) return;
  if (isMove) history.replaceState(null, "", hash);
  else history.pushState(null, "", hash);
}

/** Makes the chosen move, or asks which of several moves is meant. */
function offer(moves) {
  if (moves.length === 1) return void play(moves[0]);
  const close = () => {
    show(byId("choice"));
    board.focus();
  };
  const button = (move) =>
    h("button", { type: "button", class: `move ${values() ? move.outcome : ""}`, onclick: () => (close(), play(move)) }, move.text, values() && move.outcome !== "unknown" ? h("span", { class: `chip ${move.outcome}` }, short(move)) : null);
  show(byId("choice"), h("p", { id: "which" }, "Which move?"), h("div", { class: "buttons", role: "group", "aria-labelledby": "which" }, moves.map(button), h("button", { type: "button", class: "quiet", onclick: close }, "Neither")));
  byId("choice").querySelector("button").focus();
}

async function play(move) {
  if (isTheirs()) return;
  await make(move);
  answer();
}

async function make(move) {
  cancel();
  show(byId("refusal"));
  spokenMove = `${capital(session.players[session.mover()])} played ${move.text}. `;
  await attempt(async () => {
    if (await session.play(move)) await remember(true);
  });
}

/** Lets perfect play reply, if it is its turn. */
function answer() {
  if (!isTheirs() || !session.current || session.current.over) return;
  const best = session.current.moves[0];
  if (!best || best.outcome === "unknown") return;
  pending = setTimeout(async () => {
    pending = 0;
    await make(best);
  }, PAUSE);
  render();
}

function cancel() {
  clearTimeout(pending);
  pending = 0;
  show(byId("choice"));
}

async function goTo(index) {
  cancel();
  await attempt(async () => {
    if (await session.goTo(index)) await remember(true);
  });
}

/** Takes back a move; against perfect play, also the reply. */
function back() {
  const two = opponent !== "none" && session.index >= 2 && session.mover(session.index - 1) === Number(opponent);
  return goTo(session.index - (two ? 2 : 1));
}

function hint() {
  hinted = !hinted;
  render();
  const best = session.current?.moves[0];
  if (hinted && best) byId("spoken").textContent = `Hint: ${best.text}.`;
}

function point(move, place, isPicking = false) {
  const { current } = session;
  if (!current) return;
  let text = pointedAt(move, values());
  if (!move && place !== null && place !== undefined && current.view.states[place] === 0 && !current.over) text = `${current.view.places[place].name}: no move`;
  if (move && isPicking) text += " \u2014 click again to make it, or go on";
  byId("pointed").textContent = text;
}

/** The line above the board, and the text for screen readers. */
function verdict() {
  const { value, over, moves, problem } = session.current;
  const [mover, other] = session.mover() === 0 ? session.players : [...session.players].reverse();
  const turn = (name) => h("strong", {}, capital(name));
  if (over) {
    const won = { win: mover, loss: other }[value.outcome];
    const end = value.outcome === "draw" ? "a draw" : won === undefined ? "no move is left" : `${capital(won)} has won`;
    return { parts: [h("span", { class: "chip over" }, "over"), h("span", {}, turn("The game is over"), `: ${end}.`)], said: `The game is over: ${end}.` };
  }
  if (session.current.isAwaited) {
    return { parts: [h("span", { class: "chip unknown" }, "\u2026"), h("span", {}, turn(mover), " to move: computing the values.")], said: `${capital(mover)} to move. Computing the values.` };
  }
  if (problem || value.outcome === "unknown") {
    return { parts: [h("span", { class: "chip unknown" }, "?"), h("span", {}, turn(mover), " to move: the value is not known.")], said: `${capital(mover)} to move. The value is not known.` };
  }
  if (!values()) return { parts: [h("span", {}, turn(mover), " to move.")], said: `${capital(mover)} to move.` };
  const best = moves.filter((move) => move.outcome === value.outcome).length;
  const many = `${count(best)} of ${count(moves.length)} ${moves.length === 1 ? "move" : "moves"}`;
  const why = { win: `${many} ${best === 1 ? "wins" : "win"}`, draw: `${many} ${best === 1 ? "draws" : "draw"}`, loss: "every move loses" }[value.outcome];
  const long = value.remoteness === null ? "" : ` in ${plies(value.remoteness)}`;
  const word = { win: "wins", draw: "draws", loss: "loses" }[value.outcome];
  return {
    parts: [h("span", { class: `chip ${value.outcome}` }, short(value)), h("span", {}, turn(mover), ` to move ${word}${long}`, h("span", { class: "dim" }, ` \u00b7 ${why}${value.nimber === null ? "" : ` \u00b7 nimber ${value.nimber}`}${value.misereNimber === undefined ? "" : ` \u00b7 mis\u00e8re nimber ${value.misereNimber}`}`))],
    said: `${capital(mover)} to move ${word}${long}; ${why}.`,
  };
}

/** The places of each move so far, which bars join, and the places that moves named. */
function filledSoFar() {
  const groups = [];
  const own = new Set();
  let changed = 0;
  for (let at = 1; at <= session.index; at++) {
    const handles = session.handlesAt(at);
    groups.push(handles);
    changed += session.changesAt(at).length;
    handles.forEach((place) => own.add(place));
  }
  const isWhole = changed === session.current.view.states.filter((state) => state > 0).length;
  return { groups, own: isWhole ? own : null };
}

function render() {
  const { current, entries, index } = session;
  if (!current) return;
  const { view, moves, over, probe } = current;
  const name = session.subject.game ?? "your rules";
  const known = games.find((game) => game.name === session.subject.game);
  document.title = `${view.game} \u00b7 tablegen`;
  byId("title").textContent = view.game;
  byId("summary").textContent = known?.summary ?? "";
  byId("current").textContent = name;
  const { parts, said } = verdict();
  byId("verdict").replaceChildren(...parts);
  byId("spoken").textContent = (spokenMove ?? "") + said;
  spokenMove = null;
  if (current.problem) notice(current.problem);
  else if (current.probe) notice();
  const active = !over && !isTheirs();
  const best = moves[0]?.outcome === "unknown" ? null : moves[0];
  board.render({ view, moves, active, values: values(), hint: hinted ? best : null, last: session.changesAt(index), ...filledSoFar() });
  show(byId("chain"), chain(session));
  byId("pointed").textContent = "";
  byId("back").disabled = index === 0;
  byId("forth").disabled = index + 1 >= entries.length;
  byId("hint").disabled = !active || !best;
  byId("hint").setAttribute("aria-pressed", hinted);
  byId("best").disabled = over || !best;
  byId("line").disabled = over || !probe;
  byId("moves").replaceChildren(...list(moves, { values: values(), active, best }, { play, point: (move) => point(move, null) }));
  const game = values() && probe?.game_value;
  byId("value").hidden = !game;
  show(byId("value-body"), ...(game ? valueOf(game) : []));
  drawHistory();
  players();
  const draws = probe && moves.some((move) => move.outcome === "draw");
  byId("legend").replaceChildren(...(values() && best ? ["win", draws && "draw", "loss"].filter(Boolean).map((outcome) => h("span", {}, h("span", { class: `chip ${outcome}` }, short({ outcome, remoteness: null })), { win: "wins", draw: "draws", loss: "loses" }[outcome])) : []), ...(values() && best && best.remoteness !== null ? [h("span", { class: "dim" }, "the number: plies to the end")] : []));
  byId("table").hidden = !probe || probe.source === "search";
}

function drawHistory() {
  const room = byId("history").clientWidth;
  if (room === 0) return;
  byId("history").replaceChildren(...historyOf({ entries: session.entries, index: session.index, players: session.players.map(capital), values: values() }, room, goTo));
}

/** The menu that assigns people and perfect play to the players. */
function players() {
  const [first, second] = session.players.map(capital);
  const select = byId("opponent");
  const key = `${first}/${second}`;
  if (select.dataset.key === key) return;
  select.dataset.key = key;
  select.replaceChildren(h("option", { value: "none" }, "off"), h("option", { value: "1" }, `moves for ${second}`), h("option", { value: "0" }, `moves for ${first}`));
  select.value = opponent;
}

/** Shows the statistics of the table once the user opens them. */
async function statistics() {
  const details = byId("table");
  const { subject, current } = session;
  if (!details.open || !current?.probe || details.dataset.of === current.view.game) return;
  details.dataset.of = current.view.game;
  show(byId("stats"), h("p", { class: "dim" }, "Counting\u2026"));
  try {
    const stats = await api.about("stats", subject);
    if (subject === session.subject) show(byId("stats"), plots(stats));
  } catch (error) {
    if (subject === session.subject) show(byId("stats"), h("p", { class: "dim" }, error.message));
    delete details.dataset.of;
  }
}

/** Opens the subject in the address, or the first game. If that fails, shows the nearest board that opens, with the
 * reason. */
async function follow() {
  const named = await address.read(location.hash);
  const first = { game: games[0].name, options: {} };
  const { subject, position, problem } = named ?? {};
  const reason = problem ?? (await open(subject ?? first, position, true));
  if (!reason || reason.name === "AbortError") return;
  const isKnown = games.some((game) => game.name === subject?.game);
  const start = position && { subject, lead: "The board shown is the start of the game." };
  const usual = isKnown && { subject: { game: subject.game, options: {} }, lead: `The board shown is the default of ${subject.game}. Other sizes:`, links: sizesOf(subject.game) };
  const near = reason.suggestion && { subject: { game: reason.suggestion, options: {} }, lead: `The board shown is from ${reason.suggestion}.` };
  const any = { subject: first, lead: "The list \u201cGame or table\u201d has all games. Examples:", links: games.slice(1, 5).map(({ name }) => ({ text: name, subject: { game: name, options: {} } })) };
  for (const instead of [start, usual, near, any].filter(Boolean)) {
    const error = await open(instead.subject, undefined, true);
    if (error?.name === "AbortError") return;
    if (error) continue;
    await remember(true);
    return refuse(reason, instead);
  }
  notice(reason);
}

/** The usual sizes of a game. */
function sizesOf(name) {
  const { variants = [] } = games.find((game) => game.name === name);
  const pairs = variants.map((list) => list.split(",").map((option) => option.split("=")));
  return pairs.map((options) => ({ text: options.map((option) => option.join(" ")).join(", "), subject: { game: name, options: Object.fromEntries(options) } }));
}

/** Shows why something was not opened, what is shown instead, and alternatives. */
async function refuse(reason, { lead, links = [] }) {
  const link = async ({ text, subject }) => h("li", {}, h("a", { href: await address.write(subject) }, text));
  const items = await Promise.all(links.map(link));
  show(byId("refusal"), h("p", {}, capital(reason.message)), h("p", {}, lead), items.length > 0 && h("ul", {}, items));
}

async function copyLink() {
  const button = byId("link");
  const said = button.textContent;
  try {
    await navigator.clipboard.writeText(location.href);
    button.textContent = "Copied";
  } catch {
    // Browsers allow clipboard access only for https and local pages. The address bar has the link in any case.
    button.textContent = "Copy it from the address bar";
  }
  setTimeout(() => (button.textContent = said), 1600);
}

const ACTIONS = {
  back,
  forth: () => goTo(session.index + 1),
  hint,
  best: () => session.current.moves[0] && make(session.current.moves[0]).then(answer),
  line: () => attempt(() => session.layOut()),
  new: () => open(session.subject),
};
const KEYS = { u: "back", r: "forth", h: "hint", b: "best", l: "line", n: "new" };

function wire() {
  theme.setUp(byId("theme"));
  for (const [id, act] of Object.entries(ACTIONS)) byId(id).addEventListener("click", act);
  byId("link").addEventListener("click", copyLink);
  byId("values").addEventListener("change", render);
  byId("opponent").addEventListener("change", (event) => {
    opponent = event.target.value;
    cancel();
    render();
    answer();
  });
  byId("table").addEventListener("toggle", statistics);
  byId("skip").addEventListener("click", (event) => {
    event.preventDefault();
    board.focus();
  });
  // Keys only act while the board has the focus, so that they do not block the browser's own keys.
  byId("board").addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.altKey || event.metaKey || !(event.key in KEYS)) return;
    event.preventDefault();
    byId(KEYS[event.key]).click();
  });
  window.addEventListener("hashchange", follow);
  new ResizeObserver(() => session.current && drawHistory()).observe(byId("history"));
  session.addEventListener("change", ({ detail }) => {
    hinted = false;
    render();
    if (detail.opened || detail.arrived) statistics();
    if (detail.arrived) answer();
  });
  const wide = matchMedia("(min-width: 1240px)");
  const settle = () => (byId("setup").open = wide.matches);
  wide.addEventListener("change", settle);
  settle();
  byId("table").open = matchMedia("(min-width: 700px)").matches;
}

async function begin() {
  wire();
  await attempt(async () => {
    const [known, found] = await Promise.all([api.games(), api.tables()]);
    games = known.games;
    setup.fill(games, found.tables);
  });
  if (games.length > 0) await follow();
}

begin();
