// Helpers that make HTML and SVG elements.

const SVG = "http://www.w3.org/2000/svg";

function fill(element, attributes, children) {
  for (const [name, value] of Object.entries(attributes ?? {})) {
    if (value === undefined || value === null || value === false) continue;
    if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
    else element.setAttribute(name, value === true ? "" : value);
  }
  element.append(...children.flat(2).filter((child) => child !== undefined && child !== null && child !== false));
  return element;
}

/** An HTML element. Attributes that are false or missing are left out; `on…` are listeners. */
export const h = (tag, attributes, ...children) => fill(document.createElement(tag), attributes, children);

/** An SVG element. */
export const s = (tag, attributes, ...children) => fill(document.createElementNS(SVG, tag), attributes, children);

export const byId = (id) => document.getElementById(id);

/** Shows `element` with these children, or hides it if there are none. */
export function show(element, ...children) {
  const shown = children.flat(2).filter(Boolean);
  element.replaceChildren(...shown);
  element.hidden = shown.length === 0;
}

/** Calls `act` after `wait` milliseconds without further calls. */
export function later(act, wait) {
  let timer;
  return (...given) => {
    clearTimeout(timer);
    timer = setTimeout(() => act(...given), wait);
  };
}
