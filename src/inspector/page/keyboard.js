// Keys, pasted text and text that is composed (as in Japanese) for the device.
// Text is collected for a moment, so that a word is one call.
import { byId } from "./dom.js";

const TYPE_MS = 250;

/* Keys of the browser, and those of devices. */
const KEYS = { Enter: "enter", Backspace: "backspace", Escape: "back", Delete: "forward_del", Tab: "tab", ArrowUp: "up",
  ArrowDown: "down", ArrowLeft: "left", ArrowRight: "right", Home: "move_home", End: "move_end",
  PageUp: "page_up", PageDown: "page_down" };

/* With Ctrl, or Command: what has a key of its own on phones. */
const SHORTCUTS = { x: "cut", c: "copy" };

export function listenToKeys(area, live) {
  const field = byId("typing");
  let timer = 0;
  let isComposing = false;
  let last = Promise.resolve();
  const later = work => { last = last.then(work); };
  const flush = () => {
    clearTimeout(timer);
    const text = field.value;
    if (text && !isComposing) {
      field.value = "";
      later(() => live.act("input", { text }));
    }
  };
  const press = (event, name) => {
    event.preventDefault();
    flush();
    later(() => live.act("key", { name }));
  };
  field.addEventListener("keydown", event => {
    if (live.lookOnly || event.isComposing) {
      return;
    }
    if (event.key === "Escape" && event.shiftKey) { // the way out for people without a mouse
      field.blur();
    } else if (event.ctrlKey || event.metaKey) {
      const key = event.key.toLowerCase();
      const name = live.kinds.get(live.frame?.device) !== "browser" ? SHORTCUTS[key] : /^[a-uw-z0-9]$/.test(key) ? `ctrl-${key}` : "";
      if (name) {
        press(event, name);
      }
    } else if (KEYS[event.key] && !event.altKey && !(event.key === "Tab" && event.shiftKey)) {
      press(event, KEYS[event.key]);
    }
  });
  field.addEventListener("compositionstart", () => { isComposing = true; });
  field.addEventListener("compositionend", () => {
    isComposing = false;
    flush();
  });
  field.addEventListener("input", () => {
    clearTimeout(timer);
    timer = setTimeout(flush, TYPE_MS);
  });
  field.addEventListener("paste", () => setTimeout(flush));
  area.addEventListener("pointerdown", () => setTimeout(() => field.focus({ preventScroll: true })));
}
