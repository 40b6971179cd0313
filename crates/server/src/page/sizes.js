// Sizes of games by name: `3\u00d74`, `9 pins`, `heaps 1, 2, 3`.

import { amount } from "./values.js";

/** Parameters that are the sides of a board. */
const SIDES = ["rows", "cols", "layers", "size"];

/** What several parameters number, such as heaps: the noun after an ordinal number in their help. */
const numbered = ({ help }) => /\b(?:first|second|third|fourth) (\w+)/.exec(help ?? "")?.[1];

/** One parameter with its value. */
function named(name, value) {
  if (name === "play") return `${value === "misere" ? "mis\u00e8re" : value} play`;
  if (value === "true") return name;
  if (name === "cols") return amount(value, "columns");
  return /^\d+$/.test(value) && (/s$/.test(name) || name === "men") ? amount(value, name) : `${name} ${value}`;
}

/** The name of a size: the board, the parameters that `options` set, and if that is nothing, those that are `varied` between sizes. `specs` are
 * the parameters of the game. */
export function sizeName(specs, options, varied = []) {
  const defaults = new Map(specs.map((spec) => [spec.name, spec.default]));
  const of = (name) => String(options[name] ?? defaults.get(name) ?? "");
  const [rows, cols, layers, size] = SIDES.map(of);
  const board = rows && cols ? [rows, cols, layers].filter(Boolean).join("\u00d7") : size && `${size}\u00d7${size}`;
  const isShort = (name) => of(name) !== "" && !of(name).includes("\n");
  const others = (names) => {
    const shown = specs.filter(({ name }) => names.includes(name) && isShort(name) && !(board && SIDES.includes(name)));
    const alike = specs.filter((spec) => numbered(spec) && shown.some((other) => numbered(other) === numbered(spec)));
    const list = alike.length > 1 ? alike : [];
    const texts = shown.filter((spec) => !list.includes(spec)).map(({ name }) => named(name, of(name)));
    const numbers = list.map(({ name }) => of(name)).filter((value) => value !== "0");
    return [...texts, ...(list.length > 0 ? [`${numbered(list[0])}s ${numbers.join(", ")}`] : [])];
  };
  const set = others(Object.keys(options).filter((name) => of(name) !== String(defaults.get(name) ?? "")));
  const parts = [board, ...set].filter(Boolean);
  return (parts.length > 0 ? parts : others(varied)).join(", ");
}

/** Reads a list of options such as `rows=3,cols=4`. */
const read = (list) => Object.fromEntries(list.split(",").map((pair) => pair.split("=")));

/** The sizes of a game that are solved at once, beginning with the usual one, and larger ones: their options and names. */
export function sizesOf({ variants = [], large = [], options, parameters }) {
  const specs = options ?? parameters ?? [];
  const all = [...variants, ...large].map(read);
  const varied = all.flatMap(Object.keys);
  const name = (set) => ({ options: set, name: sizeName(specs, set, varied) || "Usual" });
  return { small: [{}, ...variants.map(read)].map(name), large: large.map(read).map(name) };
}
