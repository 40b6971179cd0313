// The main module of the page: buttons, and the beginning.

import { back, best, board, goTo, hint, line, opponent, turn } from "./acts.js";
import * as api from "./api.js";
import { byId, h, show } from "./dom.js";
import { drawHistory, render, statistics } from "./render.js";
import { embed, follow, front, home, open, prepared, remember, reveal } from "./route.js";
import { attempt } from "./say.js";
import { complete, server } from "./server.js";
import * as shortcuts from "./shortcuts.js";
import { session, state, values } from "./state.js";
import * as stored from "./stored.js";
import * as theme from "./theme.js";

/** Opens what a button of this name opens, which is loaded then. */
const dialog = (name) => async () => (await import("./dialogs.js"))[name]();

const ACTIONS = {
  turn,
  train: dialog("train"),
  setpieces: dialog("setPieces"),
  keylist: dialog("keyList"),
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
  byId("share").addEventListener("click", dialog("share"));
  byId("own").addEventListener("click", async () => open({ rules: (await prepared()).rules, options: {} }));
  byId("home").addEventListener("click", (event) => {
    if (event.ctrlKey || event.metaKey || server.games.length === 1) return;
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
  shortcuts.setUp(() => state.setUp !== null);
  window.addEventListener("hashchange", follow);
  new ResizeObserver(() => session.current && drawHistory()).observe(byId("history"));
  session.addEventListener("change", ({ detail }) => {
    state.hinted = false;
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
    server.games = known.games;
    server.absent = known.absent ?? [];
    server.tables = found.tables;
    await front.fill(known, server.tables, complete);
  });
  await follow();
}

begin();
