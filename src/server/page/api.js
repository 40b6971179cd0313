// Questions to the server. All addresses are relative: the page talks to where it came from, and to nobody else.
//
// A subject is what a question is about: `{game, options}`, a game or a table by name, or `{rules, options}`, the text of
// a rules file.

const API = "api/v1/";

/** An answer that says what was wrong. */
export class Refusal extends Error {
  constructor(status, body) {
    super(body.error ?? `the server answered ${status}`);
    this.status = status;
    /** Mistakes in a rules file: `{line, message}`. */
    this.mistakes = body.mistakes ?? [];
    /** The game that was probably meant. */
    this.suggestion = body.suggestion;
  }
}

async function ask(path, request) {
  let response;
  try {
    response = await fetch(API + path, request);
  } catch (error) {
    if (error.name === "AbortError") throw error;
    throw new Refusal(0, { error: "the server does not answer; is 'tablegen serve' still running?" });
  }
  const body = await response.json().catch(() => ({}));
  if (!response.ok) throw new Refusal(response.status, body);
  return body;
}

export const games = () => ask("games");
export const tables = () => ask("tables");

/** Asks `what` (probe, scene, line, stats) of a position of `subject`; without a position, of the start. */
export function about(what, subject, position, signal) {
  const query = new URLSearchParams();
  if (subject.game) query.set("game", subject.game);
  for (const [name, value] of Object.entries(subject.options ?? {})) query.set(name, value);
  if (position !== undefined && position !== null) query.set("position", position);
  if (subject.rules === undefined) return ask(`${what}?${query}`, { signal });
  // A probe of a pasted file solves it first.
  const route = what === "probe" ? "solve" : what;
  return ask(`${route}?${query}`, { method: "POST", body: subject.rules, headers: { "content-type": "text/plain" }, signal });
}

/** What the server says of the text of a rules file, before it is solved. */
export const check = (rules, options, signal) => about("check", { rules, options }, null, signal);
