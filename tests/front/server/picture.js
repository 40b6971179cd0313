// Turns the board that the page shows into an SVG file. The expression is a function, which the test calls with the
// page's two themes applied one after the other.
//
// Every shape keeps its geometry. Its colours become a class, because a file has no style sheet of the page: shapes that
// look the same in both themes share a class.

(() => {
  const SHAPES = ["rect", "circle", "line", "path", "polygon", "text"];
  const GEOMETRY = ["x", "y", "x1", "y1", "x2", "y2", "cx", "cy", "r", "rx", "width", "height", "d", "points", "transform"];
  const STYLE = ["fill", "stroke", "stroke-width", "stroke-dasharray", "stroke-linecap", "paint-order", "font-size", "font-weight", "opacity"];
  const DEFAULTS = { fill: "#000000", stroke: "none", "stroke-width": "1px", "stroke-dasharray": "none", "stroke-linecap": "butt", "paint-order": "normal", "font-weight": "400", opacity: "1" };
  // Pixels of the picture per unit of the drawing.
  const SCALE = 0.52;
  const board = document.getElementById("board");
  const words = board.querySelector(".words");
  const drawing = board.querySelector("svg.drawing");

  const hex = (value) => {
    const parts = /^rgba?\(([^)]*)\)$/.exec(value)?.[1].split(/[ ,/]+/).map(Number);
    if (!parts) return value;
    return parts[3] === 0 ? "none" : "#" + parts.slice(0, 3).map((part) => part.toString(16).padStart(2, "0")).join("");
  };
  const short = (number) => String(Math.round(number * 100) / 100);
  const escaped = (text) => text.replace(/[&<>"]/g, (character) => `&#${character.charCodeAt(0)};`);

  /** The opacity of an element together with that of the groups around it. */
  const opacity = (element) => (element === drawing ? 1 : Number(getComputedStyle(element).opacity) * opacity(element.parentElement));

  /** The style of a shape. Properties with their initial value are left out, and so is the line of a shape without one. */
  const styleOf = (element) => {
    const computed = getComputedStyle(element);
    const style = Object.fromEntries(STYLE.map((name) => [name, hex(computed.getPropertyValue(name))]));
    style.opacity = short(opacity(element));
    const isText = element.tagName === "text";
    for (const name of STYLE) {
      const isLine = name.startsWith("stroke-") || name === "paint-order";
      if (style[name] === DEFAULTS[name] || (isLine && style.stroke === "none") || (name.startsWith("font") && !isText)) delete style[name];
    }
    return style;
  };

  /** The styles of all shapes, for the theme that is shown now. */
  const styles = () => [...drawing.querySelectorAll(SHAPES.join())].map(styleOf);

  const byTheme = (read) => ["light", "dark"].map((theme) => {
    document.documentElement.dataset.theme = theme;
    return read();
  });

  /** A list of rules, and the class of each combination of a light and a dark style. */
  const classes = () => {
    const known = new Map();
    const rule = (name, style) => `${name}{${Object.entries(style).map(([key, value]) => `${key}:${value}`).join(";")}}`;
    return {
      of(light, dark) {
        const key = JSON.stringify([light, dark]);
        if (!known.has(key)) known.set(key, { name: String.fromCharCode(97 + known.size), light, dark });
        return known.get(key).name;
      },
      text() {
        const all = [...known.values()];
        const changes = ({ light, dark }) => Object.fromEntries(Object.entries(dark).filter(([key, value]) => light[key] !== value));
        return all.map(({ name, light }) => rule(`.${name}`, light)).join("") + `@media(prefers-color-scheme:dark){${all.map((entry) => [entry.name, changes(entry)]).filter(([, change]) => Object.keys(change).length > 0).map(([name, change]) => rule(`.${name}`, change)).join("")}}`;
      },
    };
  };

  const isVisible = ({ fill = "#000000", stroke = "none" }) => fill !== "none" || stroke !== "none";
  const file = ([left, top, width, height], rules, shapes) =>
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="${[left, top, width, height].map(short).join(" ")}" width="${Math.round(width * SCALE)}" height="${Math.round(height * SCALE)}">\n` +
    `<style>text{font-family:system-ui,sans-serif;text-anchor:middle;dominant-baseline:central}${rules.text()}</style>\n${shapes.join("\n")}\n</svg>\n`;
  const paper = () => ({ fill: hex(getComputedStyle(document.body).backgroundColor) });
  const sheet = (rules, [left, top, width, height]) => `<rect class="${rules.of(...byTheme(paper))}" x="${short(left)}" y="${short(top)}" width="${short(width)}" height="${short(height)}" rx="14"/>`;

  const drawn = () => {
    const [light, dark] = byTheme(styles);
    const rules = classes();
    const shapes = [...drawing.querySelectorAll(SHAPES.join())];
    const dot = ({ fill, opacity }, radius) => ({ fill: "none", stroke: fill, "stroke-width": `${short(2 * radius)}px`, "stroke-linecap": "round", ...(opacity && { opacity }) });
    /** The pips of a tile as one path, which is much shorter than a circle for each. */
    const pips = (element) => {
      const circles = [...element.querySelectorAll("circle.pip")];
      if (circles.length === 0) return "";
      const [at, radius] = [shapes.indexOf(circles[0]), Number(circles[0].getAttribute("r"))];
      const path = circles.map((circle) => `M${circle.getAttribute("cx")} ${circle.getAttribute("cy")}h0`).join("");
      return `<path class="${rules.of(dot(light[at], radius), dot(dark[at], radius))}" d="${path}"/>`;
    };
    const written = (element) => {
      const at = shapes.indexOf(element);
      if (at < 0) {
        const children = [...element.children].map(written).join("") + (element.matches(".face") ? pips(element) : "");
        const transform = element.getAttribute("transform");
        return children && transform ? `<g transform="${transform}">${children}</g>` : children;
      }
      if (element.matches(".pip") || (!isVisible(light[at]) && !isVisible(dark[at]))) return "";
      const attributes = GEOMETRY.filter((name) => element.hasAttribute(name)).map((name) => ` ${name}="${element.getAttribute(name)}"`).join("");
      const open = `<${element.tagName} class="${rules.of(light[at], dark[at])}"${attributes}`;
      return element.tagName === "text" ? `${open}>${escaped(element.textContent)}</text>` : `${open}/>`;
    };
    // The names of vertices lie below the lowest vertices, outside of the drawing's box.
    const { x, y, width, height } = drawing.viewBox.baseVal;
    const below = board.dataset.layout === "vertices" ? 30 : 0;
    const box = [x - 10, y - 10, width + 20, height + 20 + below];
    const background = sheet(rules, box);
    return file(box, rules, [background, ...[...drawing.children].map(written).filter(Boolean)]);
  };

  /** Words are buttons of HTML: each becomes a box with its text. */
  const said = () => {
    const rules = classes();
    const buttons = [...words.children];
    const boxes = buttons.map((button) => button.getBoundingClientRect());
    // One pixel of the page is two units, so that words look as large as squares do.
    const unit = 2;
    const [left, top] = [Math.min(...boxes.map((box) => box.left)), Math.min(...boxes.map((box) => box.top))].map(Math.floor);
    const [right, bottom] = [Math.max(...boxes.map((box) => box.right)), Math.max(...boxes.map((box) => box.bottom))].map(Math.ceil);
    const button = (element) => {
      const computed = getComputedStyle(element);
      const line = { fill: hex(computed.backgroundColor), stroke: hex(computed.borderTopColor), "stroke-width": `${parseFloat(computed.borderTopWidth) * unit}px` };
      return [line, { fill: hex(computed.color), "font-size": `${parseFloat(computed.fontSize) * unit}px` }];
    };
    const [light, dark] = byTheme(() => buttons.map(button));
    const outline = [-16, -16, (right - left) * unit + 32, (bottom - top) * unit + 32];
    const background = sheet(rules, outline);
    const shapes = buttons.map((element, n) => {
      const box = boxes[n];
      const [x, y, width, height] = [box.left - left, box.top - top, box.width, box.height].map((length) => short(length * unit));
      const frame = `<rect class="${rules.of(light[n][0], dark[n][0])}" x="${x}" y="${y}" width="${width}" height="${height}" rx="18"/>`;
      const middle = `x="${short((box.left - left + box.width / 2) * unit)}" y="${short((box.top - top + box.height / 2) * unit)}"`;
      return `${frame}<text class="${rules.of(light[n][1], dark[n][1])}" ${middle}>${escaped([...element.children].map((part) => part.textContent).join(" ").trim())}</text>`;
    });
    return file(outline, rules, [background, ...shapes]);
  };

  const picture = words ? said() : drawn();
  delete document.documentElement.dataset.theme;
  return picture;
})()
