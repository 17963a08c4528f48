// The tree of elements beside the screen. What is hovered or chosen in one is
// marked in the other.
import { byId, fill, make, plain, remember, shorten, update } from "./dom.js";
import { live } from "./live.js";

const MAX_ROWS = 2000;

let rows = new Map();

/* "Button “Send” send_button". */
function describe(node) {
  const id = (node.resourceId ?? "").replace(/^.*[/]/, "");
  return [make("span", { class: "role" }, shorten(node.role, 40) || "node"), " ",
    node.label ? make("bdi", { class: "label" }, `“${shorten(node.label, 60)}”`) : null, " ",
    id ? make("span", { class: "id" }, shorten(id, 40)) : null];
}

function matches(node, words) {
  const text = plain(`${node.role} ${node.label} ${node.resourceId} ${node.description}`).toLowerCase();
  return words.every(word => text.includes(word));
}

function makeRow(node) {
  const row = make("li", { role: "treeitem", tabindex: "-1", "aria-level": node.depth + 1,
    "aria-selected": "false", "data-index": node.index,
    onclick: () => live.select(node), onpointerenter: () => live.hover(node),
    onfocus: () => live.hover(node) }, describe(node));
  row.style.paddingInlineStart = `${Math.min(node.depth, 14) * 0.7 + 0.4}rem`;
  return row;
}

const makeRows = remember(makeRow);

/* Draws the rows that match the filter. */
function show() {
  const words = byId("tree-filter").value.toLowerCase().split(/\s+/).filter(Boolean);
  const shown = live.nodes.filter(node => matches(node, words)).slice(0, MAX_ROWS);
  const hadFocus = byId("tree").contains(document.activeElement)
    ? document.activeElement.dataset.index : null;
  const made = makeRows(shown.map(node => ({ key: node, value: node })));
  rows = new Map(shown.map((node, index) => [node.index, made[index]]));
  update(byId("tree"), made);
  mark();
  const focused = hadFocus === null ? null : rows.get(Number(hadFocus));
  const first = focused ?? byId("tree").firstElementChild;
  made.forEach(row => { row.tabIndex = row === first ? 0 : -1; });
  if (focused && document.activeElement !== focused) {
    focused.focus();
  }
}

function mark() {
  for (const [index, row] of rows) {
    row.setAttribute("aria-selected", String(live.selected?.index === index));
    row.classList.toggle("hovered", live.hovered?.index === index);
  }
}

/* Arrow keys move between rows, Enter shows the card. */
function onKey(event) {
  const row = event.target.closest("[role=treeitem]");
  const moves = { ArrowDown: "nextElementSibling", ArrowUp: "previousElementSibling" };
  const list = byId("tree");
  const next = { Home: list.firstElementChild, End: list.lastElementChild }[event.key]
    ?? row?.[moves[event.key]];
  if (row && (event.key === "Enter" || event.key === " ")) {
    event.preventDefault();
    row.click();
  } else if (row && next) {
    event.preventDefault();
    row.tabIndex = -1;
    next.tabIndex = 0;
    next.focus();
  }
}

/* Keeps the selection while the element is still there. */
function keepSelection() {
  const old = live.selected;
  const same = old && live.nodes.find(node => node.index === old.index
    && node.className === old.className && String(node.bounds) === String(old.bounds));
  if (old && same) {
    live.selected = same;
  } else if (old) {
    live.select(null);
  }
}

export function startTree() {
  live.addEventListener("elements", ({ detail }) => {
    keepSelection();
    show();
    const hidden = detail.total - detail.nodes.length;
    fill(byId("tree-note"), plain(detail.warning ?? ""),
      hidden > 0 ? ` ${hidden} more elements are not shown.` : "");
  });
  live.addEventListener("select", () => {
    mark();
    rows.get(live.selected?.index)?.scrollIntoView({ block: "nearest" });
  });
  live.addEventListener("hover", ({ detail }) => {
    mark();
    const row = rows.get(detail?.index);
    if (row && !byId("tree").matches(":hover")) {
      row.scrollIntoView({ block: "nearest" });
    }
  });
  byId("tree-filter").addEventListener("input", show);
  byId("tree").addEventListener("keydown", onKey);
  byId("tree").addEventListener("pointerleave", () => live.hover(null));
}
