// What is shown: the first page or the board, or the board alone within another page. The rest of the page is loaded with the first board.

import * as address from "./address.js";
import { byId } from "./dom.js";
import { Front } from "./front.js";

export const front = new Front();

/** Shows the board, or the first page. */
export function reveal(isBoard) {
  byId("play").hidden = !isBoard;
  byId("front").hidden = isBoard;
  byId("share").hidden = !isBoard;
  byId("skip").hidden = !isBoard;
}

/** Shows the first page. */
export function home() {
  reveal(false);
  document.title = "tablegen";
  front.recent();
}

/** Shows the board and the moves alone, if the address asks for that. */
export function embed() {
  const isAlone = address.isEmbedded();
  document.documentElement.toggleAttribute("data-embedded", isAlone);
  byId("whole").hidden = !isAlone;
  byId("whole").firstChild.href = location.hash.replace("#embed=", "#game=");
}
