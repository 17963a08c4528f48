// Lists what a page shows: one row per control, text, picture and frame that can
// be seen now. Runs in an isolated world, so that the page cannot change what is
// used here. A row is [depth, role, text, name, hint, id, left, top, right,
// bottom, flags]; tree.c reads it. Called with "focus" it only tells whether the
// element that has the focus takes text.
(function (mode) {
  "use strict";
  const MAX_ROWS = 2000, MAX_NODES = 100000, MAX_TEXT = 300, MAX_DEPTH = 200,
    MAX_MS = 2000;
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
  const rows = [];
  const end = performance.now() + MAX_MS;
  let visited = 0;

  const clean = text => {
    text = (text || "").slice(0, 4 * MAX_TEXT).replace(/\s+/g, " ").trim();
    return text.length > MAX_TEXT ? text.slice(0, MAX_TEXT - 1) + "\u2026" : text;
  };
  const contains = (outer, node) => {
    for (; node; node = node.parentNode || node.host) {
      if (node === outer) return true;
    }
    return false;
  };
  const deepest = (doc, x, y) => {
    let hit = doc.elementFromPoint(x, y);
    while (hit && hit.shadowRoot) {
      const inner = hit.shadowRoot.elementFromPoint(x, y);
      if (!inner || inner === hit) break;
      hit = inner;
    }
    return hit;
  };
  const focusOf = doc => {
    let at = doc.activeElement;
    while (at && at.shadowRoot && at.shadowRoot.activeElement) {
      at = at.shadowRoot.activeElement;
    }
    return at;
  };
  const inputType = el => el.tagName === "INPUT" ? el.type : "";
  const isEditable = el => el.isContentEditable || el.tagName === "TEXTAREA"
    || (el.tagName === "INPUT" && !INPUTS[el.type] && el.type !== "hidden");
  const isSecret = (el, style) => inputType(el) === "password"
    || (style.webkitTextSecurity && style.webkitTextSecurity !== "none")
    || /\bcc-(number|csc|exp)|(current|new)-password|one-time-code/
      .test(el.autocomplete || "")
    || /(card|cc)[-_ ]?(num|no\b)|\bcvc|\bcvv|\bcsc\b/i
      .test((el.name || "") + " " + el.id);

  const roleOf = el => {
    const own = (el.getAttribute("role") || "").trim().split(/\s+/)[0];
    if (own && own !== "presentation" && own !== "none") {
      return own.replace(/[^a-z]/gi, "").slice(0, 30).toLowerCase();
    }
    if (el.tagName === "A") return el.href ? "link" : "";
    if (el.tagName === "INPUT") return INPUTS[el.type] || "textbox";
    return ROLES[el.tagName] || (isHost(el) ? "textbox" : "");
  };
  const isHost = el => el.isContentEditable
    && !(el.parentElement && el.parentElement.isContentEditable);

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
    const doc = el.ownerDocument;
    const reaches = r => {
      const hit = deepest(doc, (r.left + r.right) / 2, (r.top + r.bottom) / 2);
      if (!hit) return false;
      const label = hit.closest && hit.closest("label");
      return contains(el, hit) || contains(hit, el)
        || (label && label.control === el);
    };
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

  const put = (depth, role, text, name, hint, id, rect, at, flags) => {
    if (rows.length < MAX_ROWS) {
      rows.push([Math.min(depth, MAX_DEPTH), role, text, name, hint,
        String(id || "").slice(0, 100),
        Math.round(rect.left + at.x), Math.round(rect.top + at.y),
        Math.round(rect.right + at.x), Math.round(rect.bottom + at.y), flags]);
    }
  };

  const stateOf = (el, role, style, focus) => {
    let flags = "";
    const aria = name => el.getAttribute("aria-" + name);
    if (el.disabled || aria("disabled") === "true"
        || (el.matches && el.matches(":disabled"))) flags += "d";
    const isCheck = ["checkbox", "radio", "switch", "menuitemcheckbox",
      "menuitemradio"].includes(role);
    if (isCheck) flags += "k";
    if (el.checked === true && isCheck || aria("checked") === "true"
        || aria("pressed") === "true") flags += "K";
    if (aria("selected") === "true"
        || el.tagName === "OPTION" && el.selected) flags += "S";
    if (isEditable(el)) flags += "e";
    if (el === focus) flags += "F";
    const canScroll = /auto|scroll/.test(style.overflowY + style.overflowX)
      && (el.scrollHeight > el.clientHeight + 1
        || el.scrollWidth > el.clientWidth + 1);
    if (canScroll) flags += "s";
    return flags;
  };

  const putControl = (el, depth, role, style, rect, at, flags) => {
    const isField = isEditable(el) || role === "combobox" || role === "slider";
    const hint = clean(el.placeholder || el.getAttribute("aria-placeholder"));
    const id = el.id || el.getAttribute("data-testid") || el.name;
    let text = "";
    if (isField && isSecret(el, style)) {
      flags += "p";
      text = el.value || el.isContentEditable && el.innerText ? SECRET : "";
    } else if (el.tagName === "SELECT") {
      text = clean(Array.from(el.selectedOptions).slice(0, 8)
        .map(option => option.label).join(", "));
    } else if (isField) {
      const value = el.value === undefined ? el.innerText : el.value;
      text = String(value || "").slice(0, MAX_TEXT);
    }
    put(depth, role, text, nameOf(el, role), hint, id, rect, at, flags);
  };

  // Whether all that is inside is text: one row shows it.
  const isTextOnly = el => {
    const inside = el.querySelectorAll("*");
    if (inside.length > 40) return false;
    for (const one of inside) {
      if (one.shadowRoot || WIDGETS.has(roleOf(one)) || one.tagName === "IMG"
          || one.tagName === "CANVAS" || one.tagName === "IFRAME"
          || one.hasAttribute("onclick") || one.tabIndex >= 0
          || !/^(inline|contents|none)/.test(getComputedStyle(one).display)) {
        return false;
      }
    }
    return true;
  };

  const putText = (node, depth, at, clip) => {
    const text = clean(node.data);
    if (!text || !node.parentElement) return;
    const range = node.ownerDocument.createRange();
    range.selectNodeContents(node);
    const rect = meet(range.getBoundingClientRect(), clip);
    const shown = isEmpty(rect) ? null : reachable(node.parentElement, rect);
    if (shown) put(depth, "text", text, "", "", "", shown, at, "");
  };

  const visitFrame = (frame, depth, rect, at, clip) => {
    const doc = frame.contentDocument;
    const x = rect.left + frame.clientLeft, y = rect.top + frame.clientTop;
    const inner = meet(clip, { left: x, top: y, right: x + frame.clientWidth,
      bottom: y + frame.clientHeight });
    if (isEmpty(inner) || !reachable(frame, inner)) return;
    put(depth, "iframe", "", "", "", frame.id || frame.name,
      { left: x, top: y, right: x + frame.clientWidth,
        bottom: y + frame.clientHeight }, at, doc ? "" : "x");
    if (doc && doc.body) {
      visit(doc.body, depth + 1, { x: at.x + x, y: at.y + y }, {
        left: inner.left - x, top: inner.top - y,
        right: inner.right - x, bottom: inner.bottom - y,
      }, focusOf(doc), false);
    }
  };

  const isLarge = el => el.offsetWidth > 3 && el.offsetHeight > 3
    && el.ownerDocument.defaultView.getComputedStyle(el).opacity > 0;

  const visitChildren = (el, depth, at, clip, focus, isPointer) => {
    const root = el.shadowRoot || el;
    let children = root.childNodes;
    if (el.tagName === "SLOT" && el.assignedNodes().length) {
      children = el.assignedNodes();
    }
    const isLabel = el.tagName === "LABEL" && el.control && isLarge(el.control);
    for (const child of children) {
      if (child.nodeType === 3 && isLabel) continue;
      if (child.nodeType === 3) putText(child, depth, at, clip);
      else if (child.nodeType === 1) visit(child, depth, at, clip, focus, isPointer);
    }
  };

  const visit = (el, depth, at, clip, focus, wasPointer) => {
    if (++visited % 64 === 0 && performance.now() > end) visited = MAX_NODES;
    if (visited >= MAX_NODES || rows.length >= MAX_ROWS
        || depth > MAX_DEPTH || SKIPPED.has(el.tagName) || el.inert) return;
    const style = el.ownerDocument.defaultView.getComputedStyle(el);
    if (style.display === "none" || style.contentVisibility === "hidden") return;
    const box = el.getBoundingClientRect();
    const rect = meet(box, clip);
    const clips = style.overflowX !== "visible" && style.display !== "contents";
    if (clips && isEmpty(rect) && el !== el.ownerDocument.body) return;
    const inner = clips && el !== el.ownerDocument.body ? rect : clip;
    if (style.visibility !== "visible" || isEmpty(rect)) {
      // Its own text is not shown either.
      for (const child of (el.shadowRoot || el).children) {
        visit(child, depth, at, inner, focus, wasPointer);
      }
      return;
    }
    if (el.tagName === "IFRAME" || el.tagName === "FRAME") {
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
    if (isClickable && shown) {
      flags += "c" + (el.tabIndex >= 0 ? "f" : "");
      putControl(el, depth, role || "generic", style, shown, at, flags);
      if (isEditable(el) || el.tagName === "SELECT") return;
      for (const part of el.querySelectorAll("*")) {
        if (WIDGETS.has(roleOf(part)) || part.hasAttribute("onclick")) {
          visit(part, depth + 1, at, inner, focus, true);
        }
      }
      return;
    }
    if (["image", "canvas", "video", "progressbar", "meter"].includes(role)) {
      const name = nameOf(el, role);
      if (shown && (name || role !== "image")) {
        put(depth, role, name, "", "", el.id, shown, at, flags);
      }
      return;
    }
    const isInline = style.display.startsWith("inline") && style.display === "inline";
    if (!el.shadowRoot && !isInline && !flags.includes("s") && isTextOnly(el)) {
      const isNamed = el.tagName === "LABEL" && el.control && isLarge(el.control);
      const text = isNamed ? "" : clean(el.innerText);
      if (text && shown) {
        put(depth, role || "text", text, "", "", el.id, shown, at, flags);
      }
      return;
    }
    let below = depth;
    if (flags.includes("s") && shown) {
      put(depth, role || "area", "", "", "", el.id, rect, at, flags);
      below = depth + 1;
    }
    visitChildren(el, below, at, inner, focus, isPointer || wasPointer);
  };

  if (mode === "focus") {
    let at = focusOf(document);
    while (at && at.tagName === "IFRAME" && at.contentDocument) {
      at = focusOf(at.contentDocument);
    }
    return !!at && (isEditable(at) || at.tagName === "IFRAME");
  }
  const page = document.scrollingElement || document.documentElement;
  const view = { left: 0, top: 0, right: innerWidth, bottom: innerHeight };
  const scrolls = page && (page.scrollHeight > innerHeight + 1
    || page.scrollWidth > innerWidth + 1);
  put(0, "page", "", "", "", "", view, { x: 0, y: 0 }, scrolls ? "s" : "");
  if (document.body) {
    visit(document.body, 1, { x: 0, y: 0 }, view, focusOf(document), false);
  }
  return { rows };
})
