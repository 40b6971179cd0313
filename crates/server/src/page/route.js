// Opens games and follows addresses.

import { board, cancel, opponent } from "./acts.js";
import * as address from "./address.js";
import { load } from "./api.js";
import { byId, h, show } from "./dom.js";
import { resume } from "./dialogs.js";
import { opened } from "./front.js";
import { describe } from "./render.js";
import { attempt } from "./say.js";
import { complete, server, sizesOf, title, titleOf } from "./server.js";
import { session, skill, state } from "./state.js";
import { capital } from "./values.js";
import { embed, home, reveal } from "./view.js";

/** The choice of a game and its options, which is loaded with the first board. */
let setup = null;

export async function prepared() {
  const { Setup } = await load("setup");
  if (setup) return setup;
  setup = new Setup(byId("setup-body"), {
    open: (subject) => open(subject),
    checked: (rules, { summary, rules: words }) => {
      server.own = { text: rules, summary, rules: words };
      if (session.current) describe();
    },
  });
  setup.fill(server.games, server.tables);
  return setup;
}

/** Opens a game, at a position or the start, and makes `moves`. This ends an exercise, unless the position is one of its own. Returns the
 * error, if there is one. */
export async function open(given, position, { moves, isAddress = false, isExercise = false } = {}) {
  const subject = complete(given);
  cancel();
  if (!isExercise) state.exercise?.end();
  state.setUp = null;
  show(byId("positioning"));
  show(byId("refusal"));
  // What leads from the first page to a game is hidden then.
  const isByKey = byId("front").querySelector(":focus-visible") !== null;
  reveal(true);
  byId("board").setAttribute("aria-busy", "true");
  if (session.entries.length === 0) show(byId("verdict"), h("span", { class: "dim" }, "Loading the game…"));
  const error = await attempt(async () => {
    const before = state.isFromStart;
    state.isFromStart = !position;
    const opening = session.open(subject, position, moves).catch((error) => {
      state.isFromStart = before;
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

/** Leaves the game for the first page. */
function leave() {
  cancel();
  home();
}

/** What the address says about the game that is shown: how it came to the position, and who plays. */
export function addressed() {
  // A link to an exercise leads to its task, without the moves that were made in it.
  const task = session.entries.findIndex((entry) => entry.position === state.exercise?.position);
  const { position, moves } = session.course(task < 0 ? session.index : task);
  const isStart = state.isFromStart && position === session.textOf(0);
  return { position: isStart ? null : position, moves, opponent: opponent.seat, skill: skill(), exercise: state.exercise?.level };
}

/** Stores the game in the address. Each move is a step for the browser's back button. */
export async function remember(isCorrection) {
  const { subject } = session;
  const hash = await address.write(subject, addressed());
  if (subject !== session.subject || hash === location.hash) return;
  if (isCorrection) history.replaceState(null, "", hash);
  else history.pushState(null, "", hash);
  embed();
}

/** The entry of the game that is shown to which an address leads; -1 if it is another game. */
function entryOf({ subject, position, moves }) {
  if (!subject || !isSameSubject(subject)) return -1;
  const { entries } = session;
  if (moves.length > 0) {
    const isSame = moves.every((move, n) => entries[n + 1]?.move === move);
    const isBegun = position ? [entries[0].position, session.textOf(0)].includes(position) : state.isFromStart;
    return isSame && isBegun ? moves.length : -1;
  }
  return entries.findIndex((entry, n) => (position ? [entry.position, session.textOf(n)].includes(position) : n === 0 && state.isFromStart));
}

/** Opens the subject in the address, or the first game. If that fails, shows the nearest game that opens, with the
 * reason. */
export async function follow() {
  const named = await address.read(location.hash);
  if (!named && server.games.length !== 1) return leave();
  const first = { game: server.games[0]?.name, options: {} };
  // A link that does not say who plays leaves that as it is.
  const { seat } = opponent;
  if (named?.opponent !== undefined) {
    opponent.seat = named.opponent;
    byId("skill").value = [...byId("skill").options].some(({ value }) => value === named.skill) ? named.skill : "perfect";
  }
  // A step of the browser's history within the game keeps the game. The other side moves if it is another one.
  const isOther = seat !== opponent.seat;
  const at = named ? entryOf(named) : -1;
  if (at >= 0 && !byId("play").hidden && named.exercise === state.exercise?.level) {
    if (at !== session.index || isOther) await attempt(() => session.goTo(at, { made: isOther }));
    return;
  }
  const { subject, position, moves, exercise, problem } = named ?? {};
  const isExercise = exercise !== undefined;
  if (isExercise) byId("values").checked = false;
  embed();
  const reason = problem ?? (await open(subject ?? first, position, { moves, isAddress: true, isExercise }));
  if (!reason && isExercise) return resume(exercise, position || moves.length > 0);
  // The address names the other side, also if the link did not.
  if (!reason) return opponent.seat === "none" ? null : remember(true);
  if (reason.name === "AbortError") return;
  const isKnown = server.games.some((game) => game.name === subject?.game);
  const start = (position || moves?.length > 0) && { subject, lead: "The start of the game is shown." };
  const usual = isKnown && { subject: { game: subject.game, options: {} }, lead: `${titleOf(subject.game)} is shown at its usual size. Other sizes:`, links: sizesOf(subject.game).slice(1) };
  const near = reason.suggestion && { subject: { game: reason.suggestion, options: {} }, lead: `${titleOf(reason.suggestion)} is shown.` };
  for (const instead of [start, usual, near].filter(Boolean)) {
    const error = await open(instead.subject, undefined, { isAddress: true });
    if (error?.name === "AbortError") return;
    if (error) continue;
    await remember(true);
    return refuse(reason, instead);
  }
  if (server.games.length === 1) await open(first, undefined, { isAddress: true });
  else {
    // The same link may work later.
    history.replaceState(null, "", "#");
    leave();
  }
  await refuse(reason, { lead: server.games.length === 1 ? "The only game is shown." : "Choose one of these games." });
}

/** Shows why something was not opened, what is shown instead, and alternatives. */
async function refuse(reason, { lead, links = [] }) {
  const link = async ({ text, subject }) => h("li", {}, h("a", { href: await address.write(subject) }, text));
  const items = await Promise.all(links.map(link));
  show(byId("refusal"), h("p", {}, capital(reason.message)), h("p", {}, lead), items.length > 0 && h("ul", {}, items));
}

/** Returns whether the page shows this subject already. */
export function isSameSubject(subject) {
  return session.subject !== null && JSON.stringify(complete(subject)) === JSON.stringify(session.subject);
}
