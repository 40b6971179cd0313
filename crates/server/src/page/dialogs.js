// What a button opens beside the game: the dialogs, the exercise and the editor of positions.

import { board, cancel, sit } from "./acts.js";
import * as address from "./address.js";
import { load } from "./api.js";
import { byId, show } from "./dom.js";
import { render } from "./render.js";
import { addressed, follow, isSameSubject, open, remember } from "./route.js";
import { attempt, notice, say } from "./say.js";
import { complete, server, sizesOf, title } from "./server.js";
import { session, state } from "./state.js";
import * as stored from "./stored.js";

/** Shows the dialog with the link and the text of the game. */
export const share = () => attempt(async () => {
  const dialog = byId("sharing");
  const sharing = await load("sharing");
  const { subject } = session;
  const to = async (embeds) => location.href.split("#")[0] + (await address.write(subject, addressed(), embeds));
  const frame = `<iframe src="${(await to(true)).replaceAll("&", "&amp;")}" width="420" height="720" title="${title()}"></iframe>`;
  const known = server.games.find((game) => game.name === subject.game);
  const { view, probe } = session.current;
  const examples = [...new Set([known?.example, view.position, ...Object.values(probe?.notations ?? {}), addressed().moves.join(" ")].filter(Boolean))].slice(0, 6);
  const link = (hash) => {
    if (hash === location.hash) follow();
    else location.hash = hash;
  };
  const game = async (given) => {
    const error = await open(given.subject, given.position, { moves: given.moves });
    notice();
    return error;
  };
  sharing.fill(byId("sharing-body"), dialog, { link: await to(false), embed: frame, text: sharing.written(subject, addressed()), examples, known: { subject, title: title(), games: server.games, absent: server.absent, complete } }, { link, game });
  dialog.showModal();
});

/** The exercise, which is loaded at first. */
async function loaded() {
  const { Exercise } = await load("exercise");
  return (state.exercise ??= new Exercise(byId("exercise"), {
    open: async (subject, position, isCorrection) => {
      await open(subject, position, { isExercise: true, isAddress: isCorrection });
      if (isCorrection) await remember(true);
    },
    change: async (subject) => {
      if (!(await open(subject, undefined, { isExercise: true }))) await attempt(() => state.exercise.next(subject));
    },
    begin: () => {
      byId("values").checked = false;
      sit("none");
    },
    end: () => {
      byId("values").checked = stored.get("values") === "shown";
    },
    close: () => {
      render();
      board.focus();
      remember(true);
    },
    say,
    subject: () => session.subject,
    sizes: ({ game }) => (server.games.some(({ name }) => name === game) ? sizesOf(game).filter(({ subject }) => !isSameSubject(subject)) : []),
  }));
}

/** Begins the exercise, or takes its next position. */
export const train = () => attempt(async () => (await loaded()).next(session.subject));

/** Goes on with the exercise of an address: at the position that is shown, if the address has one. */
export const resume = (level, hasPosition) => attempt(async () => (await loaded()).resume(level, session.subject, hasPosition && session.current.view.position));

/** Sets up a position on the board. */
export const setPieces = () => attempt(async () => {
  const [{ edit }, { formOf }] = await Promise.all([load("position"), load("written")]);
  cancel();
  const { subject } = session;
  const view = { ...session.current.view, position: session.textOf(session.index) };
  const form = formOf(view);
  edit(byId("positioning"), subject, view, form, {
    show: (view, act) => {
      state.setUp = { view, edit: act };
      render();
    },
    open: async (position) => {
      state.setUp = null;
      await open(subject, position);
      board.focus();
    },
    close: () => {
      state.setUp = null;
      render();
      byId("setpieces").focus();
    },
  });
  board.focus();
  say(`Set up a position. ${form.help}`);
});

export const keyList = () => attempt(async () => {
  const { list } = await load("keys");
  show(byId("keys-body"), list());
  byId("keys").showModal();
});
