// Creates elements of the page. Text is always set as text, never as markup.

/* Returns the element with that id. */
export const byId = id => document.getElementById(id);

/*
 * Returns a new element. Properties: "class", "on<event>" functions, booleans
 * and attributes. Children: nodes and texts; null and false are left out.
 */
export function make(tag, properties = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(properties)) {
    if (name.startsWith("on")) {
      element.addEventListener(name.slice(2), value);
    } else if (value === true) {
      element.setAttribute(name, "");
    } else if (value !== false && value != null) {
      element.setAttribute(name, value);
    }
  }
  element.append(...children.flat(Infinity).filter(child => child != null && child !== false));
  return element;
}

/* Replaces all children. */
export function fill(element, ...children) {
  element.replaceChildren(...children.flat(Infinity).filter(child => child != null && child !== false));
}

/*
 * Makes these nodes the children. Nodes that stay are not moved, so that a
 * click on them is not lost.
 */
export function update(element, nodes) {
  const wanted = new Set(nodes);
  [...element.children].filter(child => !wanted.has(child)).forEach(child => child.remove());
  nodes.forEach((node, index) => {
    if (element.children[index] !== node) {
      element.insertBefore(node, element.children[index] ?? null);
    }
  });
}

/* Returns a function that makes a node once per key, and forgets unused keys. */
export function remember(makeNode) {
  let known = new Map();
  return items => {
    const next = new Map();
    const nodes = items.map(item => {
      const key = JSON.stringify(item.key);
      next.set(key, known.get(key) ?? makeNode(item.value));
      return next.get(key);
    });
    known = next;
    return nodes;
  };
}

/* A button that copies a text and says so. */
export function copyButton(name, text) {
  const button = make("button", { type: "button", onclick: async () => {
    try {
      await navigator.clipboard.writeText(text());
      button.textContent = "Copied";
    } catch {
      button.textContent = "Cannot copy";
    }
    setTimeout(() => { button.textContent = name; }, 1500);
  } }, name);
  return button;
}

/* The bytes of a base64 text as a Blob. */
export function toBlob(base64, type) {
  return new Blob([Uint8Array.from(atob(base64), character => character.charCodeAt(0))], { type });
}

/*
 * Text from a screen with marks where it could mislead the reader: control and
 * bidi characters are shown as their code.
 */
export function plain(text) {
  return String(text ?? "").replace(
    /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff]/g,
    character => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`);
}

/* At most that many characters of a text. */
export function shorten(text, count) {
  const characters = [...plain(text)];
  return characters.length > count ? characters.slice(0, count - 1).join("") + "…" : characters.join("");
}

/* "3 calls", "1 call". */
export const plural = (count, word) => `${count.toLocaleString("en")} ${word}${count === 1 ? "" : "s"}`;

/* Milliseconds for people. */
export function duration(ms) {
  return ms == null || ms < 0 ? "" : ms < 10 ? `${ms.toFixed(1)} ms`
    : ms < 10000 ? `${Math.round(ms)} ms` : `${(ms / 1000).toFixed(1)} s`;
}

/* Waits. */
export const pause = ms => new Promise(done => setTimeout(done, ms));
