// The game that is shown, and how it is shown.

import { byId } from "./dom.js";
import { Session } from "./session.js";

export const session = new Session();

export const state = {
  hinted: false,
  /** True if the first entry is the start of the game. The address then names no position. */
  isFromStart: true,
  /** What a screen reader says of the last move, before the position. */
  spokenMove: null,
  isTurned: false,
  /** The value as a game of the board that is shown. */
  valued: null,
  /** The exercise, once it is loaded. */
  exercise: null,
  /** The position that is set up, and what a click on one of its places does; null if a game is shown. */
  setUp: null,
};

export const values = () => byId("values").checked;
export const skill = () => byId("skill").value;
