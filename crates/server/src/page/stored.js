// Choices that a browser remembers.

/** The remembered choice `name`, or null. */
export function get(name) {
  try {
    return localStorage.getItem(`tablegen-${name}`);
  } catch {
    return null;
  }
}

/** Remembers a choice. */
export function set(name, value) {
  try {
    localStorage.setItem(`tablegen-${name}`, value);
  } catch {
    // Private windows may refuse to store anything; the choice then lasts as long as the page.
  }
}
