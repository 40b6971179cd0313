// Compares an SVG file with the board that the page shows, without values. Called with the text of the file, it returns
// the file's shapes that the page lacks, one in a line.

(text) => {
  const SHAPES = "rect, circle, line, path, polygon, text";
  // Circles lie around the middles of places. The page alone moves a counter up, to make room for a value.
  const GEOMETRY = ["x", "y", "x1", "y1", "x2", "y2", "r", "width", "height", "d", "points", "transform"];
  const rounded = (value) => value.replace(/-?\d+(\.\d+)?(e-\d+)?/g, (number) => String(Math.round(Number(number) * 10) / 10 + 0)).replaceAll(",", " ");
  /** The colours of a shape. The page draws a line of no colour around some of them. */
  const colours = (element) => {
    const { fill, stroke } = getComputedStyle(element);
    return [fill, stroke].map((colour) => (colour === "rgba(0, 0, 0, 0)" ? "none" : colour)).join(" ");
  };
  /** The place, the outline and the colours of a shape. Edges that can be chosen have a colour of their own on the page. */
  const described = (element) => {
    const moves = [];
    for (let group = element.parentElement; group.tagName === "g"; group = group.parentElement) moves.unshift(group.getAttribute("transform") ?? "");
    const parts = GEOMETRY.filter((name) => (element.getAttribute(name) ?? "0") !== "0").map((name) => `${name}=${element.getAttribute(name)}`);
    const isEdge = document.getElementById("board").dataset.layout === "edges" && element.tagName === "path";
    return `${rounded(`${moves.join(" ").trim()} ${element.tagName} ${parts.join(" ")}`)} ${isEdge ? "" : colours(element)} ${element.textContent}`;
  };
  const drawing = new DOMParser().parseFromString(text, "image/svg+xml").documentElement;
  if (drawing.tagName !== "svg") return `not an SVG file: ${text}`;
  // Styles are computed only in a document.
  document.body.append(drawing);
  const [paper, ...own] = [...drawing.querySelectorAll(SHAPES)].map(described);
  drawing.remove();
  const shown = new Set([...document.querySelectorAll("#board svg.drawing :is(rect, circle, line, path, polygon, text)")].map(described));
  return own.filter((shape) => !shown.has(shape)).join("\n");
}
