// Lists what a page shows: one row per control, text, picture and frame, and does
// to elements what mouse and keyboard cannot. Runs in an isolated world, so that the
// page cannot change what is used here. Names in a form or a document can hide their
// properties: these are read by get. A row is [id, depth, role, text, name, hint,
// resource, left, top, right, bottom, flags]; tree.c reads it. The id names a node
// for as long as it lives.
globalThis.squint = (() => {
  "use strict";
  const MAX_ROWS = 2000, MAX_ALL = 10000, MAX_NODES = 100000, MAX_TEXT = 300,
    MAX_DEPTH = 200, MAX_MS = 1000, MAX_OPTIONS = 60;
  const SECRET = "\u2022\u2022\u2022";
  const ROLES = {
    BUTTON: "button", SUMMARY: "button", TEXTAREA: "textbox",
    SELECT: "combobox", OPTION: "option", IMG: "image", CANVAS: "canvas",
    VIDEO: "video", IFRAME: "iframe", TD: "cell", TH: "columnheader",
    LI: "listitem", H1: "heading", H2: "heading", H3: "heading",
    H4: "heading", H5: "heading", H6: "heading", LABEL: "label",
    PROGRESS: "progressbar", METER: "meter",
  };
  const INPUTS = {
    button: "button", submit: "button", reset: "button", image: "button",
    checkbox: "checkbox", radio: "radio", range: "slider", color: "color",
    file: "file",
  };
  const WIDGETS = new Set(["button", "link", "checkbox", "radio", "switch",
    "tab", "menuitem", "menuitemcheckbox", "menuitemradio", "option",
    "treeitem", "combobox", "textbox", "searchbox", "slider", "spinbutton",
    "color", "file"]);
  const SKIPPED = new Set(["SCRIPT", "STYLE", "NOSCRIPT", "TEMPLATE", "HEAD",
    "META", "LINK", "TITLE"]);
  const ids = new WeakMap(), nodes = new Map();
  let rows, end, visited, more, wantsAll, nextId;

  const idOf = node => {
    let id = ids.get(node);
    if (!id) {
      id = nextId++;
      ids.set(node, id);
      nodes.set(id, new WeakRef(node));
    }
    return id;
  };
  const nodeOf = id => {
    const node = nodes.get(id) && nodes.get(id).deref();
    return node && node.isConnected && get(node, "ownerDocument").defaultView
      ? node : null;
  };
  const getters = {};
  for (const type of [Node, Element, Document]) {
    for (const [name, own] of
      Object.entries(Object.getOwnPropertyDescriptors(type.prototype))) {
      if (own.get) getters[name] = own.get;
    }
  }
  const get = (node, name) => getters[name].call(node);
  const tagOf = el => get(el, "tagName");
  const parentOf = node => get(node, "parentNode") || node.host;
  const attribute = (el, name) => Element.prototype.getAttribute.call(el, name);
  const boxOf = el => Element.prototype.getBoundingClientRect.call(el);
  const styleOf = el => getComputedStyle(el);

  const clean = text => {
    text = (text || "").slice(0, 4 * MAX_TEXT).replace(/\s+/g, " ").trim();
    return text.length > MAX_TEXT ? text.slice(0, MAX_TEXT - 1) + "\u2026" : text;
  };
  const contains = (outer, node) => {
    for (; node; node = parentOf(node)) {
      if (node === outer) return true;
    }
    return false;
  };
  const deepest = (doc, x, y) => {
    let hit = Document.prototype.elementFromPoint.call(doc, x, y);
    while (hit && get(hit, "shadowRoot")) {
      const inner = hit.shadowRoot.elementFromPoint(x, y);
      if (!inner || inner === hit) break;
      hit = inner;
    }
    return hit;
  };
  const focusOf = doc => {
    let at = get(doc, "activeElement");
    while (at && get(at, "shadowRoot") && at.shadowRoot.activeElement) {
      at = at.shadowRoot.activeElement;
    }
    return at;
  };
  const focusInside = () => {
    let at = focusOf(document);
    while (at && tagOf(at) === "IFRAME" && at.contentDocument) {
      at = focusOf(at.contentDocument);
    }
    return at;
  };
  const inputType = el => el.tagName === "INPUT" ? el.type : "";
  // Fields whose value is set, because choosing it needs a window of the browser.
  const EXAMPLES = { date: "2026-11-18", time: "14:30", month: "2026-11",
    week: "2026-W47", "datetime-local": "2026-11-18T14:30", color: "#ff8800",
    range: "a number" };
  const isSet = el => el.tagName === "SELECT" || inputType(el) in EXAMPLES;
  const isEditable = el => el.isContentEditable || el.tagName === "TEXTAREA"
    || (el.tagName === "INPUT" && !INPUTS[el.type] && el.type !== "hidden");
  const isSecret = (el, style) => inputType(el) === "password"
    || (style.webkitTextSecurity && style.webkitTextSecurity !== "none")
    || /\bcc-(number|csc|exp)|(current|new)-password|one-time-code/
      .test(el.autocomplete || "")
    || /(card|cc)[-_ ]?(num|no\b)|\bcvc|\bcvv|\bcsc\b/i
      .test((el.name || "") + " " + el.id);

  const roleOf = el => {
    const own = (attribute(el, "role") || "").trim().split(/\s+/)[0];
    if (own && own !== "presentation" && own !== "none") {
      return own.replace(/[^a-z]/gi, "").slice(0, 30).toLowerCase();
    }
    if (el.tagName === "A") return el.href ? "link" : "";
    if (el.tagName === "INPUT") return INPUTS[el.type] || "textbox";
    return ROLES[tagOf(el)] || (isHost(el) ? "textbox" : "");
  };
  const isHost = el => el.isContentEditable === true
    && !(el.parentElement && el.parentElement.isContentEditable === true);

  const nameOf = (el, role) => {
    const root = el.getRootNode();
    const ids = el.getAttribute("aria-labelledby");
    if (ids) {
      const parts = ids.split(/\s+/).slice(0, 8).map(id => {
        const label = root.getElementById && root.getElementById(id);
        return label ? label.innerText || label.textContent : "";
      });
      if (clean(parts.join(" "))) return clean(parts.join(" "));
    }
    const label = el.getAttribute("aria-label");
    if (clean(label)) return clean(label);
    if (el.labels && el.labels.length) {
      const words = Array.from(el.labels).slice(0, 4).map(one => {
        const copy = one.cloneNode(true);
        copy.querySelectorAll("select, textarea, script, style")
          .forEach(part => part.remove());
        return copy.textContent;
      });
      if (clean(words.join(" "))) return clean(words.join(" "));
    }
    if (el.tagName === "IMG" || inputType(el) === "image") {
      if (clean(el.alt)) return clean(el.alt);
    }
    if (INPUTS[inputType(el)] === "button") {
      return clean(el.value)
        || { submit: "Submit", reset: "Reset" }[el.type] || "";
    }
    if (!isEditable(el) && role !== "combobox" && role !== "iframe") {
      const text = clean(el.innerText);
      if (text) return text;
      const picture = el.querySelector("img[alt], svg title, [aria-label]");
      if (picture) {
        return clean(picture.alt || picture.getAttribute("aria-label")
          || picture.textContent);
      }
    }
    return clean(el.title);
  };

  const meet = (a, b) => ({
    left: Math.max(a.left, b.left), top: Math.max(a.top, b.top),
    right: Math.min(a.right, b.right), bottom: Math.min(a.bottom, b.bottom),
  });
  const isEmpty = r => r.right - r.left < 1 || r.bottom - r.top < 1;

  // The part of the rectangle where a tap reaches the element, or null. Its
  // middle if possible, else a quarter.
  const reachable = (el, rect) => {
    const doc = get(el, "ownerDocument");
    const reaches = r => {
      const hit = deepest(doc, (r.left + r.right) / 2, (r.top + r.bottom) / 2);
      if (!hit) return false;
      const label = Element.prototype.closest.call(hit, "label");
      return contains(el, hit) || contains(hit, el)
        || (label && label.control === el);
    };
    if (isEmpty(rect)) return null;
    if (reaches(rect)) return rect;
    const x = (rect.left + rect.right) / 2, y = (rect.top + rect.bottom) / 2;
    const quarters = [
      { left: rect.left, top: rect.top, right: x, bottom: y },
      { left: x, top: rect.top, right: rect.right, bottom: y },
      { left: rect.left, top: y, right: x, bottom: rect.bottom },
      { left: x, top: y, right: rect.right, bottom: rect.bottom },
    ];
    return quarters.find(r => !isEmpty(r) && reaches(r)) || null;
  };

  // What has changed: how often, when last, and where on the screen.
  let changes = 0, changedAt = 0, changed = null;
  const note = node => {
    let el = get(node, "nodeType") === 1 ? node : node.parentElement || node.host;
    if (node === document) el = get(document, "documentElement");
    if (!el || !el.isConnected) return;
    let rect = boxOf(el);
    for (let doc = get(el, "ownerDocument"); doc !== document && rect;) {
      const frame = doc.defaultView && doc.defaultView.frameElement;
      rect = frame && boxOf(frame);
      doc = frame ? get(frame, "ownerDocument") : document;
    }
    rect = rect && meet(rect,
      { left: 0, top: 0, right: innerWidth, bottom: innerHeight });
    if (!rect || isEmpty(rect)) return;
    changes++;
    changedAt = performance.now();
    changed = changed ? {
      left: Math.min(rect.left, changed.left), top: Math.min(rect.top, changed.top),
      right: Math.max(rect.right, changed.right),
      bottom: Math.max(rect.bottom, changed.bottom),
    } : rect;
  };
  const observer = new MutationObserver(records => {
    const targets = new Set(records.slice(0, 200).map(record => record.target));
    for (const target of targets) note(target);
  });
  const watched = new WeakSet();
  const watch = root => {
    if (watched.has(root)) return;
    watched.add(root);
    observer.observe(root, { subtree: true, childList: true, characterData: true,
      attributes: true, attributeFilter: ["class", "style", "src", "hidden",
        "open", "disabled", "value", "aria-expanded", "aria-checked",
        "aria-selected", "d", "fill", "transform", "width", "height"] });
    if (root.defaultView) {
      for (const type of ["pointerdown", "mousedown", "pointerup", "mouseup",
        "click"]) root.defaultView.addEventListener(type, guard, true);
    }
    for (const type of ["input", "change", "scroll", "transitionend"]) {
      root.addEventListener(type, ({ target }) => {
        if (type !== "change" || !isEditable(target)) note(target);
      }, true);
    }
  };
  const isMoving = () => document.getAnimations().some(one =>
    one.playState === "running" && one.effect
    && Number.isFinite(one.effect.getComputedTiming().endTime));

  // Waits until nothing has changed for `quiet` ms; without a change after the
  // count `from`, until `react` ms have passed. The result is false at `limit`.
  const rest = (from, quiet, react, limit) => new Promise(done => {
    const start = performance.now();
    if (changes === from) changed = null;
    const look = () => {
      const now = performance.now();
      const isOver = changes === from ? now - start >= react
        : now - changedAt >= quiet && !isMoving();
      if (isOver || now - start >= limit) done(isOver);
      else setTimeout(look, changes === from ? 5 : 8);
    };
    look();
  });

  // A click that would reach something else than what it was meant for is
  // stopped before the page sees it.
  let aimed = null;
  const guard = event => {
    if (!aimed || !event.isTrusted) return;
    const hit = event.composedPath()[0], { el } = aimed;
    if (el && aimed.verdict === "none" && event.type.endsWith("down")) {
      const box = boxOf(el), { clientX: x, clientY: y } = event;
      const label = hit.closest && hit.closest("label");
      aimed.verdict = contains(el, hit) || label && label.control === el
        || contains(hit, el) && x >= box.left && x < box.right && y >= box.top
        && y < box.bottom ? "hit" : "elsewhere";
    }
    if (aimed.verdict === "elsewhere") {
      event.stopImmediatePropagation();
      event.preventDefault();
    } else if (isSet(hit) && event.type === (hit.tagName === "SELECT"
      ? "mousedown" : "click") && inputType(hit) !== "range" && !hit.multiple) {
      event.preventDefault(); // it would open a window of the browser
      hit.focus();
    }
  };

  // Adds a row. `shown` is where a tap reaches it; null: not on the screen, and
  // only counted unless all are wanted.
  const put = (node, depth, words, shown, box, at, flags) => {
    if (!shown && !wantsAll) {
      more++;
      return;
    }
    const rect = shown || box;
    const [role, text, name, hint, resource] = words;
    rows.push([idOf(node), Math.min(depth, MAX_DEPTH), role, text || "",
      name || "", hint || "", String(resource || "").slice(0, 100),
      Math.round(rect.left + at.x), Math.round(rect.top + at.y),
      Math.round(rect.right + at.x), Math.round(rect.bottom + at.y),
      shown ? flags : flags + "o"]);
  };

  const stateOf = (el, role, style, focus) => {
    let flags = "";
    const aria = name => attribute(el, "aria-" + name);
    if (el.disabled === true || aria("disabled") === "true"
        || Element.prototype.matches.call(el, ":disabled")) flags += "d";
    const isCheck = ["checkbox", "radio", "switch", "menuitemcheckbox",
      "menuitemradio"].includes(role);
    if (isCheck) flags += "k";
    if (el.checked === true && isCheck || aria("checked") === "true"
        || aria("pressed") === "true") flags += "K";
    if (aria("selected") === "true"
        || el.tagName === "OPTION" && el.selected) flags += "S";
    if (isEditable(el) || isSet(el)) flags += "e";
    if (el === focus) flags += "F";
    const canScroll = /auto|scroll/.test(style.overflowY + style.overflowX)
      && (el.scrollHeight > el.clientHeight + 1
        || el.scrollWidth > el.clientWidth + 1);
    if (canScroll) flags += "s";
    return flags;
  };

  const wordsOf = (el, role, isSecretField) => {
    const isField = isEditable(el) || isSet(el) || role === "combobox"
      || role === "slider";
    const hint = clean(el.placeholder || el.getAttribute("aria-placeholder"));
    const resource = el.id || el.getAttribute("data-testid") || el.name;
    let text = "";
    if (isField && isSecretField) {
      text = el.value || el.isContentEditable && el.innerText ? SECRET : "";
    } else if (el.tagName === "SELECT") {
      text = clean(Array.from(el.selectedOptions).slice(0, 8)
        .map(option => option.label).join(", "));
    } else if (isField) {
      const value = el.value === undefined ? el.innerText : el.value;
      text = String(value || "").slice(0, MAX_TEXT);
    }
    return [role, text, nameOf(el, role), hint, resource];
  };

  // Whether all that is inside is text: one row shows it.
  const isTextOnly = el => {
    const inside = el.querySelectorAll("*");
    if (inside.length > 40) return false;
    for (const one of inside) {
      if (one.shadowRoot || WIDGETS.has(roleOf(one)) || one.tagName === "IMG"
          || one.tagName === "CANVAS" || one.tagName === "IFRAME"
          || one.hasAttribute("onclick") || one.tabIndex >= 0
          || !/^(inline|contents|none)/.test(styleOf(one).display)) {
        return false;
      }
    }
    return true;
  };

  const putText = (node, depth, at, clip) => {
    const text = clean(node.data);
    if (!text || !node.parentElement) return;
    const range = get(node, "ownerDocument").createRange();
    range.selectNodeContents(node);
    const box = range.getBoundingClientRect();
    if (isEmpty(box)) return;
    put(node, depth, ["text", text], reachable(node.parentElement, meet(box, clip)),
      box, at, "");
  };

  const visitFrame = (frame, depth, rect, at, clip) => {
    const doc = frame.contentDocument;
    const x = rect.left + frame.clientLeft, y = rect.top + frame.clientTop;
    const whole = { left: x, top: y, right: x + frame.clientWidth,
      bottom: y + frame.clientHeight };
    const inner = meet(clip, whole);
    const shown = reachable(frame, inner);
    if (!shown && !wantsAll) return;
    put(frame, depth, ["iframe", "", "", "", frame.id || frame.name],
      shown && whole, whole, at, doc ? "" : "x");
    if (doc && get(doc, "body")) {
      watch(doc);
      visit(get(doc, "body"), depth + 1, { x: at.x + x, y: at.y + y }, {
        left: inner.left - x, top: inner.top - y,
        right: inner.right - x, bottom: inner.bottom - y,
      }, focusOf(doc), false);
    }
  };

  const isLarge = el => el.offsetWidth > 3 && el.offsetHeight > 3
    && styleOf(el).opacity > 0;

  const visitChildren = (el, depth, at, clip, focus, isPointer, hidesText) => {
    const tag = tagOf(el);
    const shadow = get(el, "shadowRoot");
    if (shadow) watch(shadow);
    let children = get(shadow || el, "childNodes");
    if (tag === "SLOT" && el.assignedNodes().length) {
      children = el.assignedNodes();
    }
    hidesText = hidesText
      || tag === "LABEL" && el.control && isLarge(el.control);
    for (const child of children) {
      const type = get(child, "nodeType");
      if (type === 3 && !hidesText) putText(child, depth, at, clip);
      else if (type === 1) visit(child, depth, at, clip, focus, isPointer);
    }
  };

  // One element that misbehaves does not hide the others.
  const visit = (el, depth, at, clip, focus, wasPointer) => {
    try {
      visitOne(el, depth, at, clip, focus, wasPointer);
    } catch (error) {
      more++;
    }
  };

  const visitOne = (el, depth, at, clip, focus, wasPointer) => {
    const tag = tagOf(el);
    if (++visited && performance.now() > end) visited = MAX_NODES;
    if (visited >= MAX_NODES || rows.length >= (wantsAll ? MAX_ALL : MAX_ROWS)
        || depth > MAX_DEPTH || SKIPPED.has(tag)
        || attribute(el, "inert") !== null) return;
    const style = styleOf(el);
    if (style.display === "none" || style.contentVisibility === "hidden") return;
    const box = boxOf(el);
    const rect = meet(box, clip);
    // A row that is far away is only counted: its parts are where it is.
    if (!wantsAll && (tag === "TR" || tag === "LI") && (box.bottom < -200
        || box.top > innerHeight + 200)) {
      more += el.querySelectorAll("td, a, button, input, select").length || 1;
      return;
    }
    const clips = style.overflowX !== "visible" && style.display !== "contents"
      && tag !== "BODY";
    const inner = clips ? rect : clip;
    const isHidden = style.visibility !== "visible";
    if (isHidden || isEmpty(box) || tag === "FORM") {
      visitChildren(el, depth, at, inner, focus, wasPointer,
        isHidden || isEmpty(box));
      return;
    }
    if (tag === "IFRAME" || tag === "FRAME") {
      visitFrame(el, depth, box, at, clip);
      return;
    }
    const role = roleOf(el);
    const isPointer = style.cursor === "pointer";
    const isWidget = WIDGETS.has(role) || isHost(el);
    const isClickable = isWidget || el.hasAttribute("onclick")
      || (isPointer && !wasPointer && role !== "label")
      || (el.hasAttribute("tabindex") && el.tabIndex >= 0);
    let flags = stateOf(el, role, style, focus);
    const shown = reachable(el, rect);
    if (isClickable) {
      const isSecretField = isSecret(el, style);
      flags += "c" + (el.tabIndex >= 0 ? "f" : "") + (isSecretField ? "p" : "");
      if (shown || wantsAll) {
        put(el, depth, wordsOf(el, role || "generic", isSecretField), shown, box,
          at, flags);
      } else more++;
      if (tag === "SELECT" && el === focus && shown) {
        for (const option of Array.from(el.options).slice(0, MAX_OPTIONS)) {
          put(option, depth + 1, ["option", clean(option.label)], shown, box, at,
            "c" + (option.selected ? "S" : "") + (option.disabled ? "d" : ""));
        }
      }
      if (isEditable(el) || tag === "SELECT") return;
      for (const part of el.querySelectorAll("*")) {
        if (WIDGETS.has(roleOf(part)) || part.hasAttribute("onclick")) {
          visit(part, depth + 1, at, inner, focus, true);
        }
      }
      return;
    }
    if (["image", "canvas", "video", "progressbar", "meter"].includes(role)) {
      const name = nameOf(el, role);
      if (name || role !== "image") {
        put(el, depth, [role, name, "", "", el.id], shown, box, at, flags);
      }
      return;
    }
    const isInline = style.display === "inline";
    if (!el.shadowRoot && !isInline && !flags.includes("s") && isTextOnly(el)) {
      const isNamed = tag === "LABEL" && el.control && isLarge(el.control);
      const text = isNamed ? "" : shown || wantsAll ? clean(el.innerText)
        : el.textContent.trim();
      if (text) {
        put(el, depth, [role || "text", text, "", "", el.id], shown, box, at,
          flags);
      }
      return;
    }
    let below = depth;
    if (flags.includes("s") && shown) {
      put(el, depth, [role || "area", "", "", "", el.id], rect, box, at, flags);
      below = depth + 1;
    }
    visitChildren(el, below, at, inner, focus, isPointer || wasPointer, false);
  };

  // Lists what is shown, or all; ids that are not given yet begin with `first`.
  const list = (first, all) => {
    [rows, visited, more, wantsAll, nextId] = [[], 0, 0, all, first];
    end = performance.now() + MAX_MS;
    watch(document);
    const page = get(document, "scrollingElement")
      || get(document, "documentElement");
    const view = { left: 0, top: 0, right: innerWidth, bottom: innerHeight };
    const scrolls = page && (page.scrollHeight > innerHeight + 1
      || page.scrollWidth > innerWidth + 1);
    put(document, 0, ["page"], view, view, { x: 0, y: 0 }, scrolls ? "s" : "");
    const body = get(document, "body");
    if (body) visit(body, 1, { x: 0, y: 0 }, view, focusOf(document), false);
    const isCut = visited >= MAX_NODES;
    const at = changed || { left: 0, top: 0, right: 0, bottom: 0 };
    return { rows, more, isCut, next: nextId, changes, changed: [
      at.left, at.top, at.right, at.bottom].map(Math.round) };
  };

  const elementOf = id => {
    const node = nodeOf(id);
    return node && (get(node, "nodeType") === 1 ? node : node.parentElement);
  };
  // Scrolls to an element.
  const reveal = id => {
    const el = elementOf(id);
    if (!el) return nodes.has(id) ? "gone" : "unknown";
    Element.prototype.scrollIntoView.call(el,
      { block: "center", inline: "nearest", behavior: "instant" });
    return "shown";
  };

  const fire = el => {
    for (const type of ["input", "change"]) {
      el.dispatchEvent(new Event(type, { bubbles: true, composed: true }));
    }
  };
  const choose = option => {
    const select = option.closest("select");
    option.selected = !select.multiple || !option.selected;
    fire(select);
  };

  // Prepares a click on an element; 0: on any. An option is chosen, and what is
  // only to have the focus and needs no click gets it.
  const aim = (id, onlyFocus) => {
    const el = id ? elementOf(id) : null;
    if (id && !el) return nodes.has(id) ? "gone" : "unknown";
    if (el && el.tagName === "OPTION") return choose(el), "done";
    if (el && onlyFocus && isSet(el)) return el.focus(), "done";
    aimed = { el, verdict: "none" };
    return "aimed";
  };
  const landed = () => {
    const { verdict } = aimed || { verdict: "none" };
    aimed = null;
    return verdict;
  };

  // Sets the value of the field that has the focus. "type": it takes keys.
  const enter = text => {
    const el = focusInside();
    if (!el || tagOf(el) === "IFRAME") return el ? "frame" : "none";
    if (!isSet(el)) return isEditable(el) ? "type" : "none";
    if (el.tagName === "SELECT") {
      const fits = fold => Array.from(el.options).find(option => !option.disabled
        && [option.label, option.text, option.value].some(word =>
          fold(word.trim()) === fold(text.trim())));
      const found = fits(word => word) || fits(word => word.toLowerCase());
      if (found) return choose(found), "set";
      return "!It has: " + clean(Array.from(el.options).slice(0, MAX_OPTIONS)
        .map(option => option.label).join(", "));
    }
    const old = el.value;
    el.value = text;
    if (el.value.toLowerCase() !== text.trim().toLowerCase()) {
      el.value = old;
      return "!It takes " + (el.type !== "range" ? "values such as "
        + EXAMPLES[el.type] : "numbers from " + clean(el.min || "0") + " to "
        + clean(el.max || "100") + ", step " + clean(el.step || "1"));
    }
    fire(el);
    return "set";
  };

  return { list, rest, reveal, aim, landed, enter, idOf: node => ids.get(node) || 0 };
})()
