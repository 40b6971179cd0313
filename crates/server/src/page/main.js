// The main module of the page: the first page, and the beginning.

import * as api from "./api.js";
import { byId, h, show } from "./dom.js";
import { attempt } from "./say.js";
import { complete, server } from "./server.js";
import * as theme from "./theme.js";
import { embed, front, home, reveal } from "./view.js";

/** The module of the game, once an address or a button needs it. */
let game = null;
const loaded = () => (game ??= import("./game.js"));

const isOfGame = () => /^#(game|rules|embed)=/.test(location.hash);

async function follow() {
  if (!game && !isOfGame() && server.games.length !== 1) return home();
  return (await loaded()).follow();
}

function wire() {
  theme.setUp(byId("theme"));
  byId("own").addEventListener("click", async () => (await loaded()).own());
  byId("home").addEventListener("click", (event) => {
    if (event.ctrlKey || event.metaKey || server.games.length === 1) return;
    event.preventDefault();
    history.pushState(null, "", "#");
    show(byId("refusal"));
    follow();
  });
  window.addEventListener("hashchange", follow);
}

async function begin() {
  wire();
  // Something is shown before the first answer arrives.
  embed();
  const isBoard = isOfGame();
  reveal(isBoard);
  if (isBoard) {
    show(byId("verdict"), h("span", { class: "dim" }, "Loading the game…"));
    loaded();
  }
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
