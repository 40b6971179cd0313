// The main module of the page: the first page, and the beginning.

import * as api from "./api.js";
import { byId, h, show } from "./dom.js";
import { attempt } from "./say.js";
import { complete, server } from "./server.js";
import * as theme from "./theme.js";
import { embed, front, home, reveal } from "./view.js";

/** The module of the game, once an address or a button needed it. */
let game = null;

const isOfGame = () => /^#(game|rules|embed)=/.test(location.hash);

/** Calls `act(game)`. If the game cannot be loaded, the first page says so, and its links work again later. */
async function play(act) {
  const error = await attempt(async () => (game ??= await api.load("game")));
  if (!error) return act(game);
  if (byId("front").hidden) return;
  history.replaceState(null, "", "#");
  show(byId("refusal"), byId("notice").firstChild);
}

async function follow() {
  if (!game && !isOfGame() && server.games.length !== 1) return home();
  return play((game) => game.follow());
}

function wire() {
  theme.setUp(byId("theme"));
  byId("own").addEventListener("click", () => play((game) => game.own()));
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
    import("./game.js");
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
