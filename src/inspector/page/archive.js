// Past screenshots: a calendar, the timeline of a day, a closer look at a part,
// search and contact sheet. The page asks like any client, so permissions apply.
import { byId, fill, make, plain, plural, shorten, toBlob } from "./dom.js";
import { readTool } from "./net.js";

const AT_A_TIME = 6;
const DAY_SHOTS = 60;

const state = { month: null, day: null, counts: new Map() };

const two = number => String(number).padStart(2, "0");
const monthOf = date => `${date.getFullYear()}-${two(date.getMonth() + 1)}`;
const daysIn = month => new Date(Number(month.slice(0, 4)), Number(month.slice(5, 7)), 0).getDate();

/* "15 January 2026". */
const nameOfDay = day => new Date(`${day}T12:00`).toLocaleDateString("en-GB", { day: "numeric", month: "long", year: "numeric" });

/* Runs work for each item, a few at a time. */
async function forEach(items, work) {
  const queue = [...items];
  await Promise.all(Array.from({ length: AT_A_TIME }, async () => {
    while (queue.length) {
      await work(queue.shift());
    }
  }));
}

const fail = error => make("p", { class: "bad" }, plain(`${error.message} ${error.hint ?? ""}`));

/* Shows a picture that the server sent. */
async function putPicture(canvas, block) {
  const bitmap = await createImageBitmap(toBlob(block.data, block.mimeType));
  canvas.width = bitmap.width;
  canvas.height = bitmap.height;
  canvas.getContext("2d").drawImage(bitmap, 0, 0);
}

/* How many shots a day has. */
async function countDay(day) {
  const { reply } = await readTool("list_screenshots", { startDate: day, endDate: day, maxCount: 1,
    samplingStrategy: "interval", intervalSeconds: 0 });
  return reply.truncation?.totalAvailable ?? 0;
}

async function showMonth(view, month) {
  state.month = month;
  state.counts = new Map();
  const days = Array.from({ length: daysIn(month) }, (_, index) => `${month}-${two(index + 1)}`);
  const blank = (new Date(`${days[0]}T12:00`).getDay() + 6) % 7;
  const cells = new Map(days.map(day => [day, make("button", { type: "button", class: "day", "data-day": day,
    disabled: true, "aria-label": nameOfDay(day), onclick: () => showDay(view, day) }, String(Number(day.slice(8))))]));
  fill(view.title, new Date(`${month}-15T12:00`).toLocaleDateString("en", { year: "numeric", month: "long" }));
  fill(view.calendar, Array.from({ length: blank }, () => make("span")), ...cells.values());
  try {
    await forEach(days, async day => {
      const count = await countDay(day);
      state.counts.set(day, count);
      if (state.month !== month) {
        return;
      }
      const cell = cells.get(day);
      cell.disabled = count === 0;
      cell.setAttribute("aria-label", `${nameOfDay(day)}: ${plural(count, "screenshot")}`);
      cell.title = plural(count, "screenshot");
      cell.dataset.heat = count === 0 ? 0 : Math.min(4, 1 + Math.floor(Math.log10(count) * 1.5));
    });
  } catch (error) {
    fill(view.day, fail(error));
  }
}

/* The time and the activity of a shot. */
function describe(shot, common) {
  const all = { ...common, ...shot };
  const time = all.displayLocalTime ?? all.localTime ?? "";
  const activity = all.activity ?? all.application ?? all.app;
  return { time: plain(time).replace(/^.*[T ](\d\d:\d\d).*$/, "$1"),
    what: typeof activity === "object" && activity ? activity.application ?? activity.name ?? activity.label ?? "" : activity ?? "" };
}

function makeShot(view, shot, common) {
  const { time, what } = describe(shot, common);
  const canvas = make("canvas", { class: "thumb", role: "img", "aria-label": `Screenshot ${time}` });
  return { shot, canvas, item: make("li", {},
    make("button", { type: "button", "data-ref": shot.screenshotRef, onclick: () => showShot(view, shot.screenshotRef, `${time} ${what}`) },
      canvas, make("span", {}, time), make("bdi", { class: "app" }, shorten(what, 40)))) };
}

async function showList(view, title, shots, common) {
  const made = shots.map(shot => makeShot(view, shot, common));
  fill(view.day, make("h3", {}, title), make("ol", { class: "shots" }, made.map(({ item }) => item)));
  await forEach(made, async ({ shot, canvas }) => {
    try {
      const { pictures } = await readTool("get_screenshot", { screenshotRef: shot.screenshotRef, full: "none" });
      await putPicture(canvas, pictures[0]);
    } catch (error) {
      canvas.replaceWith(make("span", { class: "hint" }, shorten(error.message, 80)));
    }
  });
}

async function showDay(view, day) {
  state.day = day;
  fill(view.day, make("p", { class: "hint" }, `Reading ${day} …`));
  try {
    const { reply } = await readTool("list_screenshots", { startDate: day, endDate: day, maxCount: DAY_SHOTS });
    const total = reply.truncation?.totalAvailable ?? reply.screenshots.length;
    await showList(view, `${day}: ${reply.screenshots.length} of ${plural(total, "screenshot")}`,
      reply.screenshots, reply.common ?? {});
  } catch (error) {
    fill(view.day, fail(error));
  }
}

/* Lets the person drag a rectangle over a picture, in percent. */
function listenToDrag(frame, done) {
  const box = make("div", { class: "crop-box", hidden: true });
  frame.append(box);
  let start = null;
  const at = event => {
    const { left, top, width, height } = frame.getBoundingClientRect();
    const share = (value, from, size) => Math.min(100, Math.max(0, (value - from) / size * 100));
    return { x: share(event.clientX, left, width), y: share(event.clientY, top, height) };
  };
  const rect = (a, b) => ({ x: Math.min(a.x, b.x), y: Math.min(a.y, b.y),
    width: Math.abs(a.x - b.x), height: Math.abs(a.y - b.y) });
  frame.addEventListener("pointerdown", event => {
    start = at(event);
    frame.setPointerCapture(event.pointerId);
  });
  frame.addEventListener("pointermove", event => {
    if (start) {
      const part = rect(start, at(event));
      box.hidden = false;
      Object.assign(box.style, { left: `${part.x}%`, top: `${part.y}%`, width: `${part.width}%`, height: `${part.height}%` });
    }
  });
  frame.addEventListener("pointerup", event => {
    const part = start && rect(start, at(event));
    start = null;
    box.hidden = true;
    if (part && part.width > 1 && part.height > 1) {
      done(part);
    }
  });
}

async function showCrop(area, ref, part) {
  try {
    const { pictures } = await readTool("crop_screenshot", { screenshotRef: ref, ...part });
    const canvas = make("canvas", { class: "sent", id: "crop", role: "img", "aria-label": "Part in full detail" });
    await putPicture(canvas, pictures[0]);
    fill(area, make("h4", {}, "Part in full detail"), canvas);
  } catch (error) {
    fill(area, fail(error));
  }
}

/* Fields for people who cannot drag. */
function makePartForm(area, ref) {
  const inputs = Object.entries({ x: 0, y: 0, width: 100, height: 50 }).map(([name, value]) =>
    make("input", { type: "number", min: "0", max: "100", value, name, "aria-label": `${name} in percent` }));
  return make("div", { class: "toolbar" }, "Part in percent: ", inputs,
    make("button", { type: "button", onclick: () => showCrop(area, ref,
      Object.fromEntries(inputs.map(input => [input.name, Number(input.value)]))) }, "Show part"));
}

async function showShot(view, ref, title) {
  const canvas = make("canvas", { class: "sent", role: "img", "aria-label": `Screenshot ${title}` });
  const frame = make("div", { class: "crop-frame", id: "shot" }, canvas);
  const crop = make("div", {});
  fill(view.shot, make("h3", {}, plain(title)), make("p", { class: "hint" }, "Drag over a part to see it in full detail."),
    frame, makePartForm(crop, ref), crop);
  try {
    const { pictures } = await readTool("get_screenshot", { screenshotRef: ref, full: "none" });
    await putPicture(canvas, pictures[0]);
    listenToDrag(frame, part => showCrop(crop, ref, part));
    view.shot.scrollIntoView({ block: "nearest" });
  } catch (error) {
    fill(view.shot, fail(error));
  }
}

async function search(view, text) {
  fill(view.day, make("p", { class: "hint" }, "Searching …"));
  try {
    const { reply } = await readTool("search_screenshots", { text, maxCount: 40 });
    const hits = reply.hits ?? [];
    await showList(view, `${plural(hits.length, "screenshot")} with “${text}”`,
      hits.map(hit => ({ ...hit, activity: hit.snippet })), {});
    if (!hits.length) {
      view.day.append(make("p", {}, plain(reply.note ?? reply.hint ?? reply.message ?? "Nothing was found.")));
    }
  } catch (error) {
    fill(view.day, fail(error));
  }
}

async function showSheet(view) {
  const month = state.month;
  const window = state.day?.startsWith(month) ? [state.day, state.day] : [`${month}-01`, `${month}-${two(daysIn(month))}`];
  try {
    const { pictures } = await readTool("contact_sheet", { startDate: window[0], endDate: window[1] });
    const canvas = make("canvas", { class: "sent", id: "sheet", role: "img", "aria-label": `Contact sheet ${window[0]} to ${window[1]}` });
    await putPicture(canvas, pictures[0]);
    fill(view.shot, make("h3", {}, `Contact sheet ${window[0] === window[1] ? window[0] : `${window[0]} to ${window[1]}`}`), canvas);
  } catch (error) {
    fill(view.shot, fail(error));
  }
}

function makeView() {
  const view = { title: make("h2", { id: "month" }), calendar: make("div", { class: "calendar", role: "group", "aria-labelledby": "month" }),
    day: make("div", { id: "day" }), shot: make("div", { id: "shot-side" }) };
  const text = make("input", { type: "search", id: "archive-search", autocomplete: "off" });
  const move = months => {
    const [year, month] = state.month.split("-").map(Number);
    showMonth(view, monthOf(new Date(year, month - 1 + months, 15)));
  };
  fill(byId("view-archive"), make("div", { class: "archive-view" },
    make("div", {},
      make("form", { class: "toolbar", role: "search", onsubmit: event => {
        event.preventDefault();
        search(view, text.value);
      } }, make("label", { class: "field" }, "Text in screenshots ", text), make("button", {}, "Search")),
      make("div", { class: "toolbar" },
        make("button", { type: "button", id: "month-before", "aria-label": "Month before", onclick: () => move(-1) }, "‹"),
        view.title,
        make("button", { type: "button", "aria-label": "Month after", onclick: () => move(1) }, "›"),
        make("button", { type: "button", id: "show-sheet", onclick: () => showSheet(view) }, "Contact sheet")),
      view.calendar, view.day),
    view.shot));
  return view;
}

/* Reads nothing before the view is opened. */
export function startArchive() {
  const view = makeView();
  let isRead = false;
  document.addEventListener("viewchange", async ({ detail }) => {
    if (detail !== "archive" || isRead) {
      return;
    }
    isRead = true;
    let newest = null;
    try {
      const { reply } = await readTool("list_screenshots", {});
      newest = reply.available?.newest ?? reply.available?.newestDay;
    } catch (error) {
      fill(view.day, fail(error));
    }
    showMonth(view, /^\d{4}-\d\d/.test(newest ?? "") ? newest.slice(0, 7) : monthOf(new Date()));
  });
}
