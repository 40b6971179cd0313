// Letters as keys for the buttons. A person who speaks to the browser, or whose fingers slip, can switch them off.

import { byId } from "./dom.js";
import * as stored from "./stored.js";

const BUTTONS = { u: "back", r: "forth", h: "hint", b: "best", l: "line", n: "new", v: "values", f: "turn", x: "train", e: "setpieces", "?": "keylist" };

let isOn = stored.get("letters") !== "off";

/** Returns whether letters act. */
export const areOn = () => isOn;

/** Names the keys in the titles of their buttons, as long as they act. */
function nameKeys() {
  for (const [key, id] of Object.entries(BUTTONS)) {
    const [title] = byId(id).title.split(" (");
    if (title) byId(id).title = isOn ? `${title} (${key})` : title;
  }
}

/** Switches letters on or off, and remembers it. */
export function turn(on) {
  isOn = on;
  stored.set("letters", on ? "on" : "off");
  nameKeys();
}

/** Lets letters press buttons wherever the focus is, except where a key types or chooses something. While a position is set up, as
 * `isSetUp()` says, its letter and Escape cancel that. Keys of the browser stay what they are. */
export function setUp(isSetUp) {
  nameKeys();
  document.addEventListener("keydown", (event) => {
    const { key } = event;
    if (event.ctrlKey || event.altKey || event.metaKey || !(key === "Escape" || (isOn && Object.hasOwn(BUTTONS, key)))) return;
    if (event.target.closest?.("textarea, select, dialog, [contenteditable], input:not([type=radio], [type=checkbox])")) return;
    const isLeft = key === "Escape" || BUTTONS[key] === "setpieces";
    const button = isSetUp() ? isLeft && byId("positioning").querySelector(".quiet") : byId(BUTTONS[key]);
    if (!button?.checkVisibility?.()) return;
    event.preventDefault();
    button.click();
  });
}
