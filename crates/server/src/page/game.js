// The game: its buttons, and what they do. This module is loaded with the first board.

import { back, best, board, forth, hint, line, opponent, turn } from "./acts.js";
import { keyList, setPieces, share, train } from "./dialogs.js";
import { byId } from "./dom.js";
import { drawHistory, render, statistics } from "./render.js";
import { open, prepared, remember } from "./route.js";
import * as shortcuts from "./shortcuts.js";
import { session, state, values } from "./state.js";
import * as stored from "./stored.js";

export { follow } from "./route.js";

const ACTIONS = {
  turn,
  train,
  setpieces: setPieces,
  keylist: keyList,
  back,
  forth,
  hint,
  best,
  line,
  new: () => open(session.subject),
};

/** Opens the editor of rules. */
export async function own() {
  return open({ rules: (await prepared()).rules, options: {} });
}

function wire() {
  for (const [id, act] of Object.entries(ACTIONS)) byId(id).addEventListener("click", act);
  byId("share").addEventListener("click", share);
  byId("values").checked = stored.get("values") === "shown";
  byId("values").addEventListener("change", () => {
    stored.set("values", values() ? "shown" : "hidden");
    if (values()) state.exercise?.helped(session.current.view.position, "values");
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
  shortcuts.setUp(() => state.setUp !== null);
  new ResizeObserver(() => session.current && drawHistory()).observe(byId("history"));
  session.addEventListener("change", ({ detail }) => {
    state.hinted = false;
    // A player may move several times in a row. A step back through the game is no move.
    if (detail.made || session.index + 1 === session.entries.length) opponent.answer();
    render();
    if (detail.opened || detail.arrived) statistics();
  });
  const wide = matchMedia("(min-width: 1240px)");
  const settle = () => (byId("setup").open = wide.matches);
  wide.addEventListener("change", settle);
  settle();
  byId("table").open = matchMedia("(min-width: 700px)").matches;
}

wire();
