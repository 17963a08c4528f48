// Lists what a page shows: one row per control, text, picture and frame, and does to
// elements what mouse and keyboard cannot. Runs in an isolated world, if the browser has
// such, so that the page cannot change what is used here. A row is [id, depth, role,
// text, name, hint, resource, left, top, right, bottom, flags]; page_elements.c reads it.
// The id names a node for as long as it lives.
globalThis.squint = (() => {
  "use strict";
  const MAX_ROWS = 2000, MAX_ALL = 10000, MAX_NODES = 100000, MAX_TEXT = 300,
    MAX_DEPTH = 200, MAX_MS = 1000, FAR_MS = 100, MAX_OPTIONS = 60, MAX_PARTS = 40,
    MAX_LETTERS = 1e6;
  const split = words => words.split(" ");
  const table = pairs => Object.fromEntries(split(pairs).map(pair => pair.split("=")));
  // Of elements by their tags, and of inputs by their types.
  const ROLES = table("BUTTON=button SUMMARY=button TEXTAREA=textbox SELECT=combobox "
    + "OPTION=option IMG=image CANVAS=canvas VIDEO=video IFRAME=iframe TD=cell "
    + "TH=columnheader LI=listitem H1=heading H2=heading H3=heading H4=heading "
    + "H5=heading H6=heading LABEL=label PROGRESS=progressbar METER=meter button=button "
    + "submit=button reset=button image=button checkbox=checkbox radio=radio "
    + "range=slider color=color file=file");
  // Fields whose value is set, because choosing it needs a window of the browser.
  const EXAMPLES = table("date=2026-11-18 time=14:30 month=2026-11 week=2026-W47 "
    + "datetime-local=2026-11-18T14:30 color=#ff8800 range=number file=path");
  const CHECKS = split("checkbox radio switch menuitemcheckbox menuitemradio");
  const WIDGETS = CHECKS.concat(split("button link tab menuitem option treeitem "
    + "combobox textbox searchbox slider spinbutton color file"));
  // What can be used; what else keeps texts from being one row.
  const ACTIVE = "a[href], button, summary, input, select, textarea, [onclick], "
    + WIDGETS.map(role => `[role^=${role}]`).join();
  const PARTS = ACTIVE + ", img, canvas, iframe, form, [contenteditable], "
    + "[tabindex]:not([tabindex^='-'])";
  const ids = new WeakMap(), nodes = new Map(), secrets = new WeakSet();
  let rows, seen, end, letters, more, isCut, wantsAll, nextId;

  // Names in a form or a document can hide its own properties, but not from these.
  const get = (node, name) => Reflect.get(Object.getPrototypeOf(node), name, node);
  const call = (node, name, ...values) => get(node, name).apply(node, values);
  const tagOf = el => get(el, "tagName");
  const docOf = node => get(node, "ownerDocument");
  const attribute = (el, name) => call(el, "getAttribute", name) ?? "";
  const edgesOf = ({ left, top, right, bottom }) => [left, top, right, bottom];
  const boxOf = el => edgesOf(call(el, "getBoundingClientRect"));
  // The host of the shadow root, or the frame of the document, that a node is in.
  const hostOf = (node, root = call(node, "getRootNode")) =>
    get(root, "host") || get(root, "defaultView")?.frameElement;
  const contains = (outer, node) => Boolean(node)
    && (call(outer, "contains", node) || contains(outer, hostOf(node)));

  const idOf = node => {
    if (!ids.has(node)) nodes.set(nextId, new WeakRef(node)), ids.set(node, nextId++);
    return ids.get(node);
  };
  // Marks of the direction of text, which could make a label imitate another one.
  const UNSEEN = /[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/g;
  const clean = text => {
    text = String(text || "").slice(0, 4 * MAX_TEXT).replace(UNSEEN, "")
      .replace(/[\s\p{Cc}]+/gu, " ").trim();
    return text.length > MAX_TEXT ? text.slice(0, MAX_TEXT - 1) + "\u2026" : text;
  };

  // What is found in a document, or in the shadow roots of that.
  const deepest = (root, find, host) => {
    const found = find(root);
    return found && found !== host && get(found, "shadowRoot")
      && deepest(get(found, "shadowRoot"), find, found) || found;
  };
  const focusOf = doc => deepest(doc, root => get(root, "activeElement"));

  const typeOf = el => tagOf(el) === "INPUT" ? el.type : "";
  const isSet = el => tagOf(el) === "SELECT" || typeOf(el) in EXAMPLES;
  const isHost = el => el.isContentEditable === true
    && el.parentElement?.isContentEditable !== true;
  const isEditable = el => el.isContentEditable === true || tagOf(el) === "TEXTAREA"
    || tagOf(el) === "INPUT" && !ROLES[el.type] && el.type !== "hidden";
  const SECRET = RegExp("\\bcc-(number|csc|exp)|(current|new)-password|one-time-code|"
    + "(card|cc)[-_ ]?(num|no\\b)|security code|\\bcvc|\\bcvv|\\bcsc\\b", "i");
  const isTiny = el => !(el.offsetWidth > 3 && el.offsetHeight > 3);
  // The check box that is hidden, and that its label stands for; else the element.
  const stateOf = el => tagOf(el) === "LABEL" && el.control && isTiny(el.control)
    && CHECKS.includes(roleOf(el.control)) ? el.control : el;
  // Whether a text has the form of a card number, whose last digit is a checksum.
  const isCard = text => /^[3-6]\d{12,18}$/.test(text = text.replace(/[ -]/g, ""))
    && Array.from(text).reverse().reduce((sum, digit, i) =>
      sum + Number(i % 2 ? "0246813579"[digit] : digit), 0) % 10 === 0;
  // A field stays secret when its page shows what is in it.
  const isSecret = (el, style, name) => secrets.has(el)
    || (typeOf(el) === "password" || (style.webkitTextSecurity || "none") !== "none"
      || SECRET.test([el.autocomplete, el.name, el.id, el.placeholder, name].join(" "))
      || isCard(String(el.value ?? el.innerText))) && Boolean(secrets.add(el));

  const roleOf = el => {
    const own = attribute(el, "role").trim().split(/\s+/, 1)[0]
      .replace(/[^a-z]/gi, "").slice(0, 30).toLowerCase();
    if (own && own !== "presentation" && own !== "none") return own;
    if (tagOf(el) === "A") return el.href ? "link" : "";
    if (tagOf(el) === "INPUT") return ROLES[el.type] || "textbox";
    return ROLES[tagOf(el)] || (isHost(el) ? "textbox" : "");
  };
  // The text of a label, without that of the fields in it.
  const FIELDS = "select, textarea, script, style";
  const labelText = label => Array.from(label.querySelectorAll(FIELDS)).slice(0, 8)
    .reduce((text, part) => text.replace(part.textContent, ""), label.textContent);
  const nameOf = (el, role) => {
    const type = typeOf(el), root = el.getRootNode();
    const labels = attribute(el, "aria-labelledby").slice(0, MAX_TEXT)
      .split(/\s+/, 8).map(id => id && call(root, "getElementById", id));
    const isButton = ROLES[type] === "button";
    const hasText = !isButton && !isEditable(el) && !/combobox|iframe/.test(role);
    const part = hasText && el.querySelector("img[alt], svg title, [aria-label]");
    return [
      () => labels.map(one => one && (one.innerText || one.textContent)).join(" "),
      () => attribute(el, "aria-label"),
      () => Array.from(el.labels || []).slice(0, 4).map(labelText).join(" "),
      () => el.alt,
      () => isButton && (el.value || { submit: "Submit", reset: "Reset" }[type]),
      () => hasText && (el.innerText ?? el.textContent),
      () => part && (part.alt || attribute(part, "aria-label") || part.textContent),
      () => el.title,
      () => ["::before", "::after"].map(part => getComputedStyle(el, part).content)
        .join(" ").replace(/"|\bnone\b|\bnormal\b|url\(.*?\)/g, ""),
    ].reduce((name, next) => name || clean(next()), "");
  };
  const valueOf = (el, role, isSecretField) => {
    const isField = isEditable(el) || isSet(el) || /combobox|slider/.test(role);
    const parts = el.selectedOptions || typeOf(el) === "file" && el.files;
    const value = parts ? Array.from(parts).slice(0, 8)
      .map(one => one.label || one.name).join(", ") : el.value ?? el.innerText;
    const text = isField ? String(value || "").slice(0, MAX_TEXT) : "";
    return isSecretField ? text.replace(/./gsu, "\u2022") : text;
  };
  const flagsOf = (el, role, focus) => {
    const aria = name => attribute(el, "aria-" + name) === "true";
    const isCheck = CHECKS.includes(role);
    const states = { d: el.matches(":disabled") || aria("disabled"), k: isCheck,
      K: isCheck && el.checked || aria("checked") || aria("pressed"),
      S: tagOf(el) === "OPTION" && el.selected || aria("selected"),
      e: isEditable(el) || isSet(el), F: el === focus };
    return Object.keys(states).filter(flag => states[flag]).join("");
  };
  const canScroll = (el, style) => style.overflowX !== "visible"
    && /auto|scroll/.test(style.overflowX + style.overflowY)
    && (el.scrollHeight > el.clientHeight + 1 || el.scrollWidth > el.clientWidth + 1);

  // Rectangles are [left, top, right, bottom].
  const meet = (a, b) => [Math.max(a[0], b[0]), Math.max(a[1], b[1]),
    Math.min(a[2], b[2]), Math.min(a[3], b[3])];
  const isEmpty = ([left, top, right, bottom]) => right - left < 1 || bottom - top < 1;
  // What is seen of the page: not all of it when it is zoomed.
  const view = ({ offsetLeft: x, offsetTop: y, width, height } = visualViewport) =>
    [x, y, x + width, y + height];
  // From a document to the screen: its pixels are `by` of those, and begin at x,y.
  const onScreen = (rect, { x, y, by }) =>
    rect.map((edge, i) => Math.round(edge * by + (i % 2 ? y : x)));
  const isLabelOf = (hit, el) => call(hit, "closest", "label")?.control === el;
  // The part of the rectangle where a tap reaches the element, or null. Its
  // middle if possible, else a line of text, else a quarter.
  const reachable = (el, rect) => {
    const [left, top, right, bottom] = rect;
    const x = (left + right) / 2, y = (top + bottom) / 2;
    const reaches = one => {
      const at = [(one[0] + one[2]) / 2, (one[1] + one[3]) / 2];
      const hit = deepest(docOf(el), root => call(root, "elementFromPoint", ...at));
      return hit && (contains(el, hit) || contains(hit, el) || isLabelOf(hit, el));
    };
    if (isEmpty(rect) || reaches(rect)) return isEmpty(rect) ? null : rect;
    const lines = Array.from(call(el, "getClientRects")).slice(0, 8)
      .map(line => meet(edgesOf(line), rect));
    return [...lines, [left, top, x, y], [x, top, right, y], [left, y, x, bottom],
      [x, y, right, bottom]].find(one => !isEmpty(one) && reaches(one)) || null;
  };

  // What has changed: how often, when last, and where on the screen the last times;
  // and what is far from it: how often, by the last list too, and when last.
  let changes = 0, changedAt = 0, far = 0, listedFar = 0, farAt = 0;
  const places = [];
  const note = node => {
    let el = get(node, "documentElement") || node;
    while (el && docOf(el) !== document) el = hostOf(el);
    if (el && get(el, "nodeType") !== 1) el = get(el, "parentElement") || hostOf(el);
    const box = el ? boxOf(el) : [0, 0, 0, 0], rect = meet(box, view());
    if (isEmpty(box)) return;
    if (isEmpty(rect)) return far++, void (farAt = performance.now());
    [changes, changedAt] = [changes + 1, performance.now()];
    if (places.push(rect) > 200) places.splice(0, 100);
  };
  // Where something has changed after the count `from`.
  const changedAfter = from => changes <= from ? [0, 0, 0, 0]
    : changes - from > places.length ? view()
      : places.slice(from - changes).reduce((all, one) =>
        all.map((edge, i) => (i < 2 ? Math.min : Math.max)(edge, one[i])));
  const observer = new MutationObserver(records =>
    new Set(records.slice(0, 200).map(record => record.target)).forEach(note));
  const watched = new WeakSet();
  const watch = root => {
    if (watched.has(root)) return;
    watched.add(root);
    observer.observe(root, { subtree: true, childList: true, characterData: true,
      attributes: true, attributeFilter: split("class style src hidden open disabled "
        + "value aria-expanded aria-checked aria-selected d fill transform width "
        + "height") });
    for (const type of split("pointermove pointerdown touchstart mousedown pointerup "
      + "touchend mouseup click contextmenu auxclick")) {
      get(root, "defaultView")?.addEventListener(type, guard, true);
    }
    for (const type of split("input change scroll transitionend")) {
      call(root, "addEventListener", type, ({ target }) => {
        if (type === "change" && isEditable(target)) return;
        note(isTiny(target) && target.labels?.[0] || target);
      }, true);
    }
  };
  const isMoving = () => call(document, "getAnimations").some(one =>
    one.playState === "running" && one.effect?.getComputedTiming().endTime < Infinity);
  // Waits until nothing has changed for `quiet` ms; without a change after the
  // count `from`, until `react` ms have passed, or FAR_MS after one that is far
  // away. The result is false at `limit`.
  const rest = async (from, quiet, react, limit) => {
    const start = performance.now(), since = time => performance.now() - time;
    const isOver = () => changes !== from ? since(changedAt) >= quiet && !isMoving()
      : since(start) >= react
        || far !== listedFar && since(farAt) >= FAR_MS && !isMoving();
    while (!isOver() && since(start) < limit) {
      const wait = changes === from ? 5 : Math.max(quiet - since(changedAt), 5);
      await new Promise(done => setTimeout(done, wait));
    }
    return isOver();
  };

  // A click that would reach something else than what it was meant for is
  // stopped before the page sees it.
  let aimed = null;
  const guard = event => {
    if (!aimed || !event.isTrusted) return;
    if (event.type === "pointermove") return void (aimed.isReached = true);
    const hit = event.composedPath()[0], { el } = aimed;
    if (el && aimed.verdict === "none" && event.type.endsWith("down")) {
      const { clientX: x, clientY: y } = event, at = [x, y, x + 1, y + 1];
      aimed.verdict = contains(el, hit) || isLabelOf(hit, el)
        || !isEmpty(meet(boxOf(el), at)) && contains(hit, el) ? "hit" : "elsewhere";
    }
    const opener = tagOf(hit) === "SELECT" ? "mousedown" : "click";
    if (aimed.verdict === "elsewhere") {
      event.stopImmediatePropagation();
      event.preventDefault();
    } else if (isSet(hit) && event.type === opener && !hit.multiple
      && !/range|file/.test(typeOf(hit))) {
      event.preventDefault(); // it would open a window of the browser
      hit.focus();
    }
  };

  // Adds a row. `shown` is where a tap reaches it; null: not on the screen, and
  // only counted unless all are wanted. Otherwise `say` is called for its texts.
  const put = (node, { depth, at }, { box, shown }, say) => {
    if (!shown && !wantsAll) return void more++;
    const { role, text = "", name = "", hint = "", id = "", flags = "" } = say();
    const words = [role, text, name, hint, id.slice(0, 100)];
    letters += words.join("").length;
    rows.push([idOf(node), Math.min(depth, MAX_DEPTH), ...words,
      ...onScreen(shown || box, at), shown ? flags : flags + "o"]);
  };
  const putText = (node, here) => {
    const text = clean(node.data), range = new Range();
    range.selectNodeContents(node);
    const box = boxOf(range), parent = node.parentElement || hostOf(node);
    if (!text || isEmpty(box)) return;
    put(node, here, { box, shown: reachable(parent, meet(box, here.clip)) },
      () => ({ role: "text", text }));
  };
  const putWidget = (el, here, place, role, style) => {
    put(el, here, place, () => {
      const name = nameOf(el, role);
      const isSecretField = (isEditable(el) || isSet(el)) && isSecret(el, style, name);
      return { name, role: role || "generic", text: valueOf(el, role, isSecretField),
        id: el.id || attribute(el, "data-testid") || el.name,
        hint: clean(el.placeholder || attribute(el, "aria-placeholder")),
        flags: flagsOf(stateOf(el), role, here.focus) + (canScroll(el, style) ? "s" : "")
          + "c" + (el.tabIndex >= 0 ? "f" : "") + (isSecretField ? "p" : "") };
    });
    const below = { ...here, depth: here.depth + 1, isPointer: true };
    const options = el === here.focus && place.shown && el.options || [];
    for (const option of Array.from(options).slice(0, MAX_OPTIONS)) {
      put(option, below, place, () => ({ role: "option", text: clean(option.label),
        flags: flagsOf(option, "option") + "c" }));
    }
    if (isEditable(el) || tagOf(el) === "SELECT") return;
    for (const part of el.querySelectorAll(ACTIVE)) visit(part, below);
  };

  // Whether it shows the same text as a control in it, which is listed.
  const wrapsOne = (el, control = el.querySelector(ACTIVE)) =>
    control && clean(control.innerText) === clean(el.innerText);
  // What is in it is listed by itself, also if all of it reacts to a click.
  const isLarge = (el, tag) => tag === "BODY"
    || el.querySelector("tr, li, [role=row], [role$=cell], [role=listitem]")
    || el.querySelectorAll("*").length > MAX_PARTS;
  // Whether all that is inside is text: one row shows it.
  const isTextOnly = (el, inside = el.querySelectorAll("*")) => inside.length <= MAX_PARTS
    && !el.shadowRoot && Array.from(inside).every(one =>
      !call(one, "matches", PARTS) && !one.shadowRoot
      && /^(inline|contents|none)/.test(getComputedStyle(one).display));
  const namesField = el => tagOf(el) === "LABEL" && el.control
    && !isTiny(el.control) && getComputedStyle(el.control).opacity > 0;

  const visitFrame = (frame, here, box) => {
    const doc = frame.contentDocument, { at } = here;
    const zoom = (box[2] - box[0]) / frame.offsetWidth || 1, by = at.by * zoom;
    const x = box[0] + frame.clientLeft * zoom, y = box[1] + frame.clientTop * zoom;
    const whole = [x, y, x + frame.clientWidth * zoom, y + frame.clientHeight * zoom];
    const clip = meet(here.clip, whole), shown = reachable(frame, clip) && whole;
    if (!shown && !wantsAll) return;
    // A document remembers its focus while another one has it.
    const hasFocus = frame === here.focus;
    put(frame, here, { box: whole, shown }, () => ({ role: "iframe",
      hint: doc ? "" : String(by), id: frame.id || frame.name,
      flags: doc ? "" : hasFocus ? "xX" : "x" }));
    if (!doc || !get(doc, "body")) return;
    watch(doc);
    visit(get(doc, "body"), { depth: here.depth + 1, focus: hasFocus && focusOf(doc),
      at: { x: at.x + x * at.by, y: at.y + y * at.by, by },
      clip: clip.map((edge, i) => (edge - (i % 2 ? y : x)) / zoom) });
  };
  const visitChildren = (el, here, hidesText = namesField(el)) => {
    const shadow = get(el, "shadowRoot");
    if (shadow) watch(shadow);
    const slotted = tagOf(el) === "SLOT" ? el.assignedNodes() : [];
    for (const child of slotted.length ? slotted : get(shadow || el, "childNodes")) {
      const type = get(child, "nodeType");
      if (type === 3 && !hidesText) putText(child, here);
      else if (type === 1) visit(child, here);
    }
  };
  // One element that misbehaves does not hide the others.
  const visit = (el, here) => {
    isCut ||= performance.now() > end || seen.size >= MAX_NODES
      || letters > MAX_LETTERS || rows.length >= (wantsAll ? MAX_ALL : MAX_ROWS);
    if (isCut || seen.has(el)) return;
    seen.add(el);
    try { visitOne(el, here); } catch (error) { more++; }
  };
  const visitOne = (el, here) => {
    const tag = tagOf(el), style = getComputedStyle(el);
    if (here.depth > MAX_DEPTH || call(el, "hasAttribute", "inert")
      || style.display === "none" || style.contentVisibility === "hidden") return;
    const box = boxOf(el), rect = meet(box, here.clip);
    // A row that is far away is only counted: its parts are where it is.
    if (!wantsAll && (tag === "TR" || tag === "LI")
      && (box[3] < -200 || box[1] > innerHeight + 200)) {
      return void (more += el.querySelectorAll("td, a, button, input, select").length || 1);
    }
    const isWhole = style.overflowX === "visible" || style.display === "contents";
    const inner = isWhole || tag === "BODY" ? here : { ...here, clip: rect };
    const isHidden = style.visibility !== "visible";
    if (isHidden || isEmpty(box) || tag === "FORM") {
      return visitChildren(el, inner, isHidden || style.display !== "contents"
        || namesField(el));
    }
    if (tag === "IFRAME" || tag === "FRAME") return visitFrame(el, here, box);
    const role = roleOf(stateOf(el)), isPointer = style.cursor === "pointer";
    const place = { box, shown: reachable(el, rect) };
    const reacts = el.hasAttribute("onclick")
      || isPointer && !here.isPointer && role !== "label" && !wrapsOne(el)
      || el.hasAttribute("tabindex") && el.tabIndex >= 0;
    if (WIDGETS.includes(role) || isHost(el) || reacts && !isLarge(el, tag)) {
      return putWidget(el, inner, place, role, style);
    }
    const scrolls = canScroll(el, style) ? "s" : "";
    const words = text => () => ({ role: role || (scrolls ? "area" : "text"), text,
      id: el.id, flags: flagsOf(el, role, here.focus) + scrolls });
    if (/^(image|canvas|video|progressbar|meter)$/.test(role)) {
      const name = nameOf(el, role);
      if (name || role !== "image") put(el, here, place, words(name));
    } else if (!scrolls && style.display !== "inline" && isTextOnly(el)) {
      const text = namesField(el) ? ""
        : clean(place.shown || wantsAll ? el.innerText : el.textContent);
      if (text) put(el, here, place, words(text));
    } else {
      const isArea = scrolls && place.shown;
      if (isArea) put(el, here, { shown: rect }, words(""));
      visitChildren(el, { ...inner, isPointer: isPointer || here.isPointer,
        depth: here.depth + (isArea ? 1 : 0) });
    }
  };

  // Lists what is shown, or all, and where that has changed after the count `from`;
  // ids that are not given yet begin with `first`. A pixel is `by` of those of the
  // screen.
  const list = (first, all, from, by = visualViewport.scale, hasFocus = true) => {
    [rows, seen, letters, more, isCut] = [[], new Set(), 0, 0, false];
    [wantsAll, nextId, listedFar] = [all, first, far];
    end = performance.now() + (all ? 4 : 1) * MAX_MS;
    watch(document);
    const clip = view();
    const here = { depth: 0, at: { x: -clip[0] * by, y: -clip[1] * by, by }, clip };
    const page = get(document, "scrollingElement") || get(document, "documentElement");
    const scrolls = page?.scrollHeight > visualViewport.height + 1
      || page?.scrollWidth > visualViewport.width + 1 ? "s" : "";
    put(document, here, { shown: clip }, () => ({ role: "page", flags: scrolls }));
    const body = get(document, "body");
    if (body) visit(body, { ...here, depth: 1, focus: hasFocus && focusOf(document) });
    return { rows, origin, more, isCut, next: nextId, changes, far, zoom: by,
      changed: onScreen(changedAfter(from), here.at) };
  };
  const settle = async (first, from, ...rule) =>
    ({ settled: await rest(from, ...rule), ...list(first, false, from) });

  const onElement = (id, act) => {
    const node = nodes.get(id)?.deref();
    const isThere = node?.isConnected && get(docOf(node) || node, "defaultView");
    if (!isThere) return nodes.has(id) ? "gone" : "unknown";
    return act(tagOf(node) ? node : node.parentElement || hostOf(node)
      || get(document, "documentElement"));
  };
  const reveal = id => onElement(id, el =>
    (call(el, "scrollIntoView", { block: "center", behavior: "instant" }), "shown"));
  const fire = el => ["input", "change"].forEach(type =>
    el.dispatchEvent(new Event(type, { bubbles: true, composed: true })));
  const choose = (option, select = option.closest("select")) => {
    option.selected = !select.multiple || !option.selected;
    fire(select);
  };
  // Prepares a click on an element; 0: on any. An option is chosen, and what is
  // only to have the focus and needs no click gets it.
  const take = el => (aimed = { el, verdict: "none" }, "aimed");
  const aim = (id, onlyFocus) => id === 0 ? take(null) : onElement(id, el => {
    if (tagOf(el) === "OPTION") choose(el);
    else if (onlyFocus && isSet(el)) el.focus();
    else return take(el);
    return "done";
  });
  const reached = () => aimed?.isReached ? "reached" : "none";
  const landed = (verdict = aimed?.verdict || "none") => (aimed = null, verdict);

  // Sets the value of the field that has the focus. "type": it takes keys.
  const field = (doc = document) => {
    const el = focusOf(doc);
    return el?.contentDocument ? field(el.contentDocument) : el;
  };
  const enter = text => {
    const el = field();
    if (!el || tagOf(el) === "IFRAME") return el ? "frame" : "none";
    if (!isSet(el)) return isEditable(el) ? "type" : "none";
    if (tagOf(el) === "SELECT") {
      const options = Array.from(el.options);
      const find = fold => options.find(option => !option.disabled
        && [option.label, option.text, option.value].some(word =>
          fold(word.trim()) === fold(text.trim())));
      const found = find(word => word) || find(word => word.toLowerCase());
      return found ? (choose(found), "set") : "!It has: "
        + clean(options.slice(0, MAX_OPTIONS).map(option => option.label).join(", "));
    }
    if (el.type === "file") return el.multiple ? "files" : "file";
    const old = el.value;
    el.value = text;
    if (el.value.toLowerCase() === text.trim().toLowerCase()) return fire(el), "set";
    el.value = old;
    if (el.type !== "range") return "!It takes values such as " + EXAMPLES[el.type];
    return clean(`!It takes numbers from ${el.min || "0"} to ${el.max || "100"}, `
      + `step ${el.step || "1"}`);
  };

  return { list, settle, changes: () => changes, zoom: () => visualViewport.scale,
    reveal, aim, reached, landed, enter, field, idOf: node => ids.get(node) || 0 };
})()
