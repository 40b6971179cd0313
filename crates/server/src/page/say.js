// Errors that the page shows, and what screen readers say.

import { byId, h, show } from "./dom.js";
import { capital } from "./values.js";

/** Tells a screen reader something. */
export const say = (text) => (byId("spoken").textContent = text);

/** Shows an error, or clears the last one. */
export function notice(error) {
  const text = error?.message ?? error ?? "";
  show(byId("notice"), text ? h("p", {}, capital(text)) : null);
}

/** Runs the action of a button. Returns its error, and shows it unless the request was only aborted. */
export async function attempt(action) {
  try {
    notice();
    await action();
  } catch (error) {
    if (error.name !== "AbortError") notice(error);
    return error;
  }
}
