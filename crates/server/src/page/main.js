// The main module of the page: requests, display and buttons.

import * as address from "./address.js";
import * as api from "./api.js";
import { Board } from "./board.js";
import { chain } from "./chain.js";
import { byId, h, show } from "./dom.js";
import { Front, opened } from "./front.js";
import * as guide from "./guide.js";
import { history as historyOf } from "./history.js";
import { list } from "./moves.js";
import { Opponent } from "./opponent.js";
import { filledSoFar, named, score, sideOf } from "./played.js";
import { Session } from "./session.js";
import { remark } from "./remark.js";
import { canTurn, dress, isTaken, turned } from "./shapes.js";
import * as shortcuts from "./shortcuts.js";
import * as sizes from "./sizes.js";
import * as stored from "./stored.js";
import * as theme from "./theme.js";
import { verdict } from "./verdict.js";
import { capital, isScored, short, sign, tellsBest, when } from "./values.js";

const session = new Session();
let games = [];
/** Well-known games that the server does not have. */
let absent = [];
let hinted = false;
/** True if the first entry is the start of the game. The address then names no position. */
let isFromStart = true;
let spokenMove = null;
let isTurned = false;
/** The value as a game of the board that is shown. */
let valued = null;
/** The exercise, once it is loaded, and whether it is shown. */
let exercise = null;
/** The position that is set up, and what a click on one of its places does; null if a game is shown. */
let setUp = null;

const values = () => byId("values").checked;
const skill = () => byId("skill").value;

/** Tells a screen reader something. */
const say = (text) => (byId("spoken").textContent = text);

const board = new Board(byId("board"), { play: offer, point, say });
const front = new Front();
const opponent = new Opponent(session, { make: (move) => make(move, true), attempt, skill });

/** Forgets what waits for an answer: a reply, or a choice between moves. */
function cancel() {
  opponent.cancel();
  show(byId("choice"));
}

/** The choice of a game and its options, which is loaded with the first board. */
let setup = null;
let tables = [];
async function prepared() {
  const { Setup } = await import("./setup.js");
  if (setup) return setup;
  setup = new Setup(byId("setup-body"), { open: (subject) => open(subject) });
  setup.fill(games, tables);
  return setup;
}

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

/** Opens a game, at a position or the start, and makes `moves`. Returns the error, if there is one. */
async function open(given, position, { moves, isAddress = false } = {}) {
  const subject = complete(given);
  cancel();
  setUp = null;
  show(byId("positioning"));
  show(byId("refusal"));
  // What leads from the first page to a game is hidden then.
  const isByKey = byId("front").querySelector(":focus-visible") !== null;
  reveal(true);
  byId("board").setAttribute("aria-busy", "true");
  if (session.entries.length === 0) show(byId("verdict"), h("span", { class: "dim" }, "Loading the game…"));
  const error = await attempt(async () => {
    const before = isFromStart;
    isFromStart = !position;
    const opening = session.open(subject, position, moves).catch((error) => {
      isFromStart = before;
      throw error;
    });
    const [choice, isOpen] = await Promise.all([prepared(), opening]);
    if (!isOpen) return;
    choice.show(subject);
    if (!isAddress) await remember();
    opened(title(), await address.write(subject));
    if (isByKey) board.focus();
  });
  byId("board").removeAttribute("aria-busy");
  return error;
}

/** Shows the board, or the first page. */
function reveal(isBoard) {
  byId("play").hidden = !isBoard;
  byId("front").hidden = isBoard;
  byId("share").hidden = !isBoard;
  byId("skip").hidden = !isBoard;
}

/** Shows the first page. */
function home() {
  cancel();
  reveal(false);
  document.title = "tablegen";
  front.recent();
}

/** What the address says about the game that is shown: how it came to the position, and who plays. */
function state() {
  const { position, moves } = session.course();
  const isStart = isFromStart && position === session.textOf(0);
  return { position: isStart ? null : position, moves, opponent: opponent.seat, skill: skill() };
}

/** Stores the game in the address. Each move is a step for the browser's back button. */
async function remember(isCorrection) {
  const { subject } = session;
  const hash = await address.write(subject, state());
  if (subject !== session.subject || hash === location.hash) return;
  if (isCorrection) history.replaceState(null, "", hash);
  else history.pushState(null, "", hash);
  embed();
}

/** The button of a move, with its value if values are shown. */
function moveButton(move, act) {
  const isValued = values() && move.outcome !== "unknown";
  return h("button", { type: "button", class: `move ${isValued ? move.outcome : ""}`, onclick: act }, move.text, isValued ? h("span", { class: `chip ${move.outcome}` }, short(move)) : null);
}

/** The button of a move that no click on the board makes, such as a pass. */
const offBoard = (move) => moveButton(move, () => play(move));

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

async function play(move) {
  if (opponent.moves()) return;
  const isRight = exercise?.judge(session.current.view.position, move);
  // A wrong answer is not made.
  if (isRight === false) return board.clear();
  await make(move, false, isRight && "Right.");
}

/** Makes a move. A screen reader says `before` first. */
async function make(move, isReply, before) {
  cancel();
  show(byId("refusal"));
  spokenMove = [before, `${capital(session.players[session.mover()])} played ${move.text}.`].filter(Boolean).join(" ");
  await attempt(async () => {
    // One step of the browser's history is a move together with the reply of perfect play.
    if (await session.play(move)) await remember(isReply);
  });
}

async function goTo(index) {
  cancel();
  await attempt(async () => {
    if (await session.goTo(index)) await remember();
  });
}

/** Takes back a move; against the server, also the moves that it made in reply. */
function back() {
  let to = session.index - 1;
  while (to > 0 && opponent.moves(to)) to--;
  return goTo(to);
}

function hint() {
  hinted = !hinted;
  if (hinted) exercise?.helped(session.current.view.position, false);
  render();
  const { moves, value } = session.current ?? { moves: [] };
  const best = moves[0];
  if (hinted && best && tellsBest(moves, value)) say(`Hint: ${best.text}.`);
}

function line() {
  return attempt(async () => {
    await session.layOut();
    say(`Best line: ${session.entries.slice(session.index + 1).map(({ text }) => text).join(", ")}.`);
  });
}

async function best() {
  const { moves, view } = session.current;
  if (moves.length === 0) return;
  exercise?.helped(view.position, true);
  const move = await opponent.sought("perfect");
  if (move) await make(move);
}

/** Says what the pointer is at: a move, what to click next, or why there is no move. */
function point(move, place, picked = []) {
  const { current } = session;
  if (!current) return;
  const { view, moves, over } = current;
  const isAway = place === null || picked.includes(place);
  let text = guide.pointedAt(move, values());
  if (picked.length > 0 && isAway) text = guide.next({ view, moves, own: sideOf(session, session.mover()) + 1 }, picked);
  else if (!move && place !== null) text = guide.refused({ view, over, isTheirs: opponent.moves() }, place);
  byId("pointed").textContent = text;
  if (picked.length > 0 && isAway) say(text);
}

/** What the last move did, and if the server made it, also its moves before it and the move to which they reply. */
function remarks() {
  let first = session.index;
  while (first > 1 && opponent.moves(first - 1)) first--;
  return Array.from({ length: session.index - first + 1 }, (_, n) => remark(session, first + n, values())).filter(Boolean).join(" ");
}

/** The view as the player sees it. */
const seen = (view) => (isTurned && canTurn(view) ? turned(view) : view);

function render() {
  const { current, entries, index } = session;
  if (!current) return;
  const held = document.querySelector(":focus-visible");
  const moveList = byId("moves").contains(held) ? byId("moves") : null;
  byId("play").classList.toggle("setting-up", setUp !== null);
  if (setUp) return board.render({ view: seen(setUp.view), moves: [], active: false, values: false, hint: null, last: [], groups: [], own: null, by: {}, edit: setUp.edit });
  const { view, moves, value, over, probe } = current;
  const name = session.subject.game ?? "your rules";
  const known = games.find((game) => game.name === session.subject.game);
  document.title = `${title()} \u00b7 tablegen`;
  byId("title").textContent = title();
  byId("summary").textContent = capital(known?.summary ?? "");
  const { rules } = known ?? {};
  byId("ruletext").hidden = !rules;
  byId("ruletext").lastChild.textContent = rules ?? "";
  byId("paper-rules").textContent = rules ?? "";
  document.documentElement.toggleAttribute("data-hidden-values", !values());
  dress(byId("play"), view.looks);
  byId("current").textContent = title();
  byId("current").dataset.game = name;
  const { parts, said } = verdict(session, values());
  const { text, isGuess } = entries[index];
  byId("verdict").replaceChildren(...parts, ...(isGuess ? [h("span", { class: "dim" }, ` \u00b7 ${text} was a guess, which is not proved to be a best move`)] : []));
  const done = remarks();
  show(byId("remark"), done);
  byId("turn").hidden = !canTurn(view);
  offerSetUp(view);
  byId("skills").hidden = opponent.seat === "none";
  say([spokenMove, spokenMove && done, said].filter(Boolean).join(" "));
  spokenMove = null;
  if (current.problem) notice(current.problem);
  else if (current.probe) notice();
  byId("board").dataset.position = session.textOf(index);
  const active = !over && !opponent.moves();
  const best = moves[0]?.outcome === "unknown" ? null : moves[0];
  const told = best && tellsBest(moves, value) ? best : null;
  const filled = filledSoFar(session);
  board.render({ view: seen(view), moves, active, values: values(), hint: hinted ? told : null, last: session.changesAt(index), side: sideOf(session, session.mover()), ...filled });
  show(byId("score"), score(session, filled));
  show(byId("beside"), active && moves.filter((move) => move.handles.length === 0 && move.joint === null).map(offBoard));
  show(byId("chain"), chain(session));
  byId("pointed").textContent = "";
  byId("back").disabled = index === 0;
  byId("forth").disabled = index + 1 >= entries.length;
  byId("hint").disabled = !active || !told;
  byId("hint").setAttribute("aria-pressed", hinted);
  byId("best").disabled = over || !best;
  byId("line").disabled = over || !probe;
  byId("moves").replaceChildren(...list(moves, { values: values(), active, best }, { play, point: (move) => point(move, null) }));
  const game = values() && probe?.game_value;
  byId("value").hidden = !game;
  drawValue(game);
  drawHistory();
  players();
  const draws = probe && moves.some((move) => move.outcome === "draw");
  byId("legend").replaceChildren(...(values() && best ? ["win", draws && "draw", "loss"].filter(Boolean).map((outcome) => h("span", {}, h("span", { class: `chip ${outcome}` }, sign(outcome)), { win: "wins", draw: "draws", loss: "loses" }[outcome])) : []), ...(values() && isScored(best) ? [h("span", { class: "dim" }, `the number: ${view.unit} ${view.aim === "fewest" ? "fewer" : "more"} than the other player, ${when(view)}`)] : values() && best && best.remoteness !== null ? [h("span", { class: "dim", title: "the moves of both players together, with the move itself" }, "the number: moves to the end")] : []));
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
  valued = game;
  if (!game) return show(byId("value-body"));
  const { section } = await import("./gamevalue.js");
  if (valued === game) show(byId("value-body"), section(game));
}

function drawHistory() {
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

/** Lets the server move for a player, or for nobody. */
function sit(value) {
  opponent.seat = value;
  cancel();
  render();
  opponent.answer();
  remember(true);
}

/** Shows the statistics of the table once the user opens them. */
async function statistics() {
  const details = byId("table");
  const { subject, current } = session;
  const has = current?.probe && current.probe.source !== "search";
  if (!details.open || details.hidden || !has || details.dataset.of === current.view.game) return;
  details.dataset.of = current.view.game;
  show(byId("stats"), h("p", { class: "dim" }, "Counting\u2026"));
  try {
    const [stats, { plots }] = await Promise.all([api.about("stats", subject), import("./stats.js")]);
    if (subject === session.subject) show(byId("stats"), plots(stats, isTaken(current.view)));
  } catch (error) {
    if (subject === session.subject) show(byId("stats"), h("p", { class: "dim" }, error.message));
    delete details.dataset.of;
  }
}

/** The entry of the game that is shown to which an address leads; -1 if it is another game. */
function entryOf({ subject, position, moves }) {
  if (!subject || !isSameSubject(subject)) return -1;
  const { entries } = session;
  if (moves.length > 0) {
    const isSame = moves.every((move, n) => entries[n + 1]?.move === move);
    const isBegun = position ? [entries[0].position, session.textOf(0)].includes(position) : isFromStart;
    return isSame && isBegun ? moves.length : -1;
  }
  return entries.findIndex((entry, n) => (position ? [entry.position, session.textOf(n)].includes(position) : n === 0 && isFromStart));
}

/** Opens the subject in the address, or the first game. If that fails, shows the nearest game that opens, with the
 * reason. */
async function follow() {
  const named = await address.read(location.hash);
  if (!named && games.length !== 1) return home();
  const first = { game: games[0]?.name, options: {} };
  // A link that does not say who plays leaves that as it is.
  if (named?.opponent !== undefined) {
    opponent.seat = named.opponent;
    byId("skill").value = [...byId("skill").options].some(({ value }) => value === named.skill) ? named.skill : "perfect";
  }
  // A step of the browser's history within the game keeps the game.
  const at = named ? entryOf(named) : -1;
  if (at >= 0 && !byId("play").hidden) {
    if (at !== session.index) await attempt(() => session.goTo(at));
    return;
  }
  const { subject, position, moves, problem } = named ?? {};
  embed();
  const reason = problem ?? (await open(subject ?? first, position, { moves, isAddress: true }));
  // The address names the other side, also if the link did not.
  if (!reason) return opponent.seat === "none" ? null : remember(true);
  if (reason.name === "AbortError") return;
  const isKnown = games.some((game) => game.name === subject?.game);
  const start = (position || moves?.length > 0) && { subject, lead: "The start of the game is shown." };
  const usual = isKnown && { subject: { game: subject.game, options: {} }, lead: `${titleOf(subject.game)} is shown at its usual size. Other sizes:`, links: sizesOf(subject.game) };
  const near = reason.suggestion && { subject: { game: reason.suggestion, options: {} }, lead: `${titleOf(reason.suggestion)} is shown.` };
  for (const instead of [start, usual, near].filter(Boolean)) {
    const error = await open(instead.subject, undefined, { isAddress: true });
    if (error?.name === "AbortError") return;
    if (error) continue;
    await remember(true);
    return refuse(reason, instead);
  }
  if (games.length === 1) await open(first, undefined, { isAddress: true });
  else home();
  await refuse(reason, { lead: games.length === 1 ? "The only game is shown." : "Choose one of these games." });
}

/** Shows the board and the moves alone, if the address asks for that. */
function embed() {
  const isAlone = address.isEmbedded();
  document.documentElement.toggleAttribute("data-embedded", isAlone);
  byId("whole").hidden = !isAlone;
  byId("whole").firstChild.href = location.hash.replace("#embed=", "#game=");
}

/** Returns whether the page shows this subject already. */
function isSameSubject(subject) {
  return session.subject !== null && JSON.stringify(complete(subject)) === JSON.stringify(session.subject);
}

/** The title of a game. Its name, as the command line has it, is shown as code only. */
const titleOf = (name) => games.find((game) => game.name === name)?.title ?? name;

/** The other sizes of a game that are solved at once. */
function sizesOf(name) {
  const [, ...small] = sizes.sizesOf(games.find((game) => game.name === name)).small;
  return small.map(({ options, name: text }) => ({ text, subject: { game: name, options } }));
}

/** The title of the game that is shown, with its size. */
function title() {
  const { subject, current } = session;
  const known = games.find((game) => game.name === subject.game);
  return known ? [known.title, sizes.sizeName(known.options ?? known.parameters ?? [], subject.options ?? {})].filter(Boolean).join(", ") : current.view.title;
}

/** Shows why something was not opened, what is shown instead, and alternatives. */
async function refuse(reason, { lead, links = [] }) {
  const link = async ({ text, subject }) => h("li", {}, h("a", { href: await address.write(subject) }, text));
  const items = await Promise.all(links.map(link));
  show(byId("refusal"), h("p", {}, capital(reason.message)), h("p", {}, lead), items.length > 0 && h("ul", {}, items));
}

/** Shows the dialog with the link and the text of the game. */
async function share() {
  const dialog = byId("sharing");
  const sharing = await import("./sharing.js");
  const { subject, entries, index } = session;
  const moves = entries.slice(1, index + 1).map(({ move }) => move);
  const to = async (embeds) => location.href.split("#")[0] + (await address.write(subject, state(), embeds));
  const frame = `<iframe src="${(await to(true)).replaceAll("&", "&amp;")}" width="420" height="720" title="${title()}"></iframe>`;
  const known = games.find((game) => game.name === subject.game);
  const { view, probe } = session.current;
  const examples = [...new Set([known?.example, view.position, ...Object.values(probe?.notations ?? {}), moves.join(" ")].filter(Boolean))].slice(0, 6);
  const link = (hash) => {
    if (hash === location.hash) follow();
    else location.hash = hash;
  };
  const game = async (given) => {
    const error = await open(given.subject, given.position, { moves: given.moves });
    notice();
    return error;
  };
  sharing.fill(byId("sharing-body"), dialog, { link: await to(false), embed: frame, text: sharing.written(session, isFromStart), examples, known: { subject, title: title(), games, absent, complete } }, { link, game });
  dialog.showModal();
}

/** Shows the exercise, or ends it. */
async function train() {
  const { Exercise } = await import("./exercise.js");
  exercise ??= new Exercise(byId("exercise"), {
    open: (subject, position) => {
      byId("values").checked = false;
      sit("none");
      return open(subject, position);
    },
    change: async (subject) => {
      if (!(await open(subject))) await attempt(() => exercise.next(subject));
    },
    close: () => {
      byId("values").checked = stored.get("values") === "shown";
      render();
      board.focus();
    },
    say,
    subject: () => session.subject,
    sizes: ({ game }) => (games.some(({ name }) => name === game) ? sizesOf(game) : []),
  });
  await attempt(() => exercise.next(session.subject));
}

/** Shows the button of the position editor if it knows how positions like that of `view` are written. */
async function offerSetUp(view) {
  const { formOf } = await import("./written.js");
  if (session.current?.view === view) byId("setpieces").hidden = !formOf(view);
}

/** Sets up a position on the board. */
async function setPieces() {
  const [{ edit }, { formOf }] = await Promise.all([import("./position.js"), import("./written.js")]);
  cancel();
  const { subject, current: { view } } = session;
  const form = formOf(view);
  edit(byId("positioning"), subject, view, form, {
    show: (view, act) => {
      setUp = { view, edit: act };
      render();
    },
    open: async (position) => {
      setUp = null;
      await open(subject, position);
      board.focus();
    },
    close: () => {
      setUp = null;
      render();
      byId("setpieces").focus();
    },
  });
  board.focus();
  say(`Set up a position. ${form.help}`);
}

async function keyList() {
  const { list } = await import("./keys.js");
  show(byId("keys-body"), list());
  byId("keys").showModal();
}

function turn() {
  isTurned = !isTurned;
  byId("turn").setAttribute("aria-pressed", isTurned);
  render();
}

const ACTIONS = {
  turn,
  train,
  setpieces: setPieces,
  keylist: keyList,
  back,
  forth: () => goTo(session.index + 1),
  hint,
  best,
  line,
  new: () => open(session.subject),
};

function wire() {
  theme.setUp(byId("theme"));
  for (const [id, act] of Object.entries(ACTIONS)) byId(id).addEventListener("click", act);
  byId("share").addEventListener("click", share);
  byId("own").addEventListener("click", async () => open({ rules: (await prepared()).rules, options: {} }));
  byId("home").addEventListener("click", (event) => {
    if (event.ctrlKey || event.metaKey || games.length === 1) return;
    event.preventDefault();
    history.pushState(null, "", "#");
    show(byId("refusal"));
    home();
  });
  byId("values").checked = stored.get("values") === "shown";
  byId("values").addEventListener("change", () => {
    stored.set("values", values() ? "shown" : "hidden");
    render();
  });
  byId("skill").addEventListener("change", () => {
    opponent.answer();
    remember(true);
  });
  byId("table").addEventListener("toggle", statistics);
  byId("skip").addEventListener("click", (event) => {
    event.preventDefault();
    board.focus();
  });
  shortcuts.setUp(() => setUp !== null);
  window.addEventListener("hashchange", follow);
  new ResizeObserver(() => session.current && drawHistory()).observe(byId("history"));
  session.addEventListener("change", ({ detail }) => {
    hinted = false;
    render();
    if (detail.opened || detail.arrived) statistics();
    // A player may move several times in a row. A step back through the game is no move.
    if (detail.made || session.index + 1 === session.entries.length) opponent.answer();
  });
  const wide = matchMedia("(min-width: 1240px)");
  const settle = () => (byId("setup").open = wide.matches);
  wide.addEventListener("change", settle);
  settle();
  byId("table").open = matchMedia("(min-width: 700px)").matches;
}

async function begin() {
  wire();
  // Something is shown before the first answer arrives.
  embed();
  const isBoard = /^#(game|rules|embed)=/.test(location.hash);
  reveal(isBoard);
  if (isBoard) show(byId("verdict"), h("span", { class: "dim" }, "Loading the game…"));
  await attempt(async () => {
    const [known, found] = await Promise.all([api.games(), api.tables()]);
    games = known.games;
    absent = known.absent ?? [];
    tables = found.tables;
    await front.fill(known, tables, complete);
  });
  await follow();
}

begin();
