// What the server says of sound rules: their size, warnings, and a drawing for each move and each end.

import { h } from "./dom.js";
import { count } from "./values.js";

const counted = (number, noun) => `${count(number)} ${number === 1 ? noun : `${noun}s`}`;

/** Where a table of the file begins. Several tables may begin in one line. */
function place({ line, column }, all) {
  const isShared = all.some((other) => other.line === line && other.column !== column);
  return isShared ? `line ${line}, column ${column}` : `line ${line}`;
}

/** The tables of a list, each with its drawing if it has one. `says` gives the words about a table. */
function tables(all, says) {
  const shown = all.filter((table) => table.drawing || table.says);
  return h("div", { class: "drawnmoves" }, shown.map((table) => h("figure", {}, h("figcaption", { class: "dim" }, `${place(table, all)}: ${says(table)}`), table.drawing && h("pre", {}, table.drawing))));
}

/** The report about a rules file. */
export function reportOf(report) {
  const fact = (name, value) => h("div", {}, h("dt", {}, name), h("dd", {}, value));
  return [
    h("p", { class: "good" }, h("code", {}, report.game), report.summary ? `: ${report.summary}` : ""),
    h("dl", { class: "facts" }, fact("squares", count(report.squares)), fact("moves", count(report.moves)), fact("positions", report.positions === null ? "more than 2^64" : count(report.positions)), fact("solver", report.solver)),
    report.warnings.map((warning) => h("p", { class: "warning" }, warning)),
    tables(report.move_tables, ({ moves }) => counted(moves, "move")),
    tables(report.end_tables, ({ patterns, says }) => (patterns > 0 ? `${counted(patterns, "pattern")}, ${says}` : says)),
  ];
}
