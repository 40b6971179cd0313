// Requests to the server. All addresses are relative, so the page only talks to its own server.
//
// A subject is a game or a table by name, `{game, options}`, or the text of a rules file, `{rules, options}`.

const API = "api/v1/";
/** A busy server is asked again for so long, and after such a pause, in milliseconds. */
const PATIENCE = 10_000;
const PAUSE = 300;

/** An error reply of the server. */
export class Refusal extends Error {
  constructor(status, body) {
    // What follows names other addresses, which help programs.
    super(body.error?.replace(/; \/api\/v1\/.*$/, "") ?? `the server answered ${status}`);
    this.status = status;
    /** Mistakes in a rules file: `{line, column, message}`. */
    this.mistakes = body.mistakes ?? [];
    /** The name of a game that the user probably meant. */
    this.suggestion = body.suggestion;
  }
}

async function sent(path, request) {
  try {
    return await fetch(API + path, request);
  } catch (error) {
    if (request?.signal?.aborted) throw error;
    throw new Refusal(0, { error: "the server does not answer; is 'tablegen serve' still running?" });
  }
}

async function ask(path, request, isTable) {
  const end = performance.now() + PATIENCE;
  let response = await sent(path, request);
  while (response.headers.has("retry-after") && performance.now() < end) {
    await new Promise((done) => setTimeout(done, PAUSE));
    response = await sent(path, request);
  }
  if (isTable && response.ok) return response.blob();
  const body = await response.json().catch((error) => {
    // A request may be given up while its answer arrives.
    if (request?.signal?.aborted) throw error;
    return {};
  });
  if (!response.ok) throw new Refusal(response.status, body);
  return body;
}

export const games = () => ask("games");
export const tables = () => ask("tables");

const modules = {};

/** Loads a module of the page. A browser remembers if that fails, so the server has to answer first. */
export async function load(name) {
  if (!modules[name]) {
    await tables();
    modules[name] = await import(`./${name}.js`);
  }
  return modules[name];
}

/** The keys of rules files, by table, each with `meaning` and `example`. */
export const keys = () => ask("keys");

/** The text of the rules file of a game. */
export const rules = (game) => ask(`rules?game=${encodeURIComponent(game)}`);

/** Requests `what` (probe, scene, line, reply, stats) for a position of `subject`; without a position, for the start. `more` has other
 * names and values of the query. */
export function about(what, subject, position, signal, more = {}) {
  const query = new URLSearchParams(more);
  if (subject.game) query.set("game", subject.game);
  for (const [name, value] of Object.entries(subject.options ?? {})) query.set(name, value);
  if (position !== undefined && position !== null) query.set("position", position);
  if (subject.rules === undefined) return ask(`${what}?${query}`, { signal });
  // A probe of a pasted file solves it first.
  const route = what === "probe" ? "solve" : what;
  return ask(`${route}?${query}`, { method: "POST", body: subject.rules, headers: { "content-type": "text/plain" }, signal });
}

/** Checks the text of a rules file without solving its game. */
export const check = (rules, options, signal) => about("check", { rules, options }, null, signal);

/** The table of a rules file, as a file. */
export const table = (rules, options) => ask(`table?${new URLSearchParams(options)}`, { method: "POST", body: rules, headers: { "content-type": "text/plain" } }, true);
