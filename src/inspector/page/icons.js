// Icons, drawn as SVG in the colour of the text.
const SPACE = "http://www.w3.org/2000/svg";

/* Paths on a grid of 16; lines of 1.5. */
const PATHS = {
  live: "M4.5 1.75h7v12.5h-7zM7 12h2",
  calls: "M2 3.5h12M2 8h7M2 12.5h10",
  journals: "M4 1.75h8v12.5l-4-3-4 3z",
  archive: "M2 3h12v3H2zM3 6v7.25h10V6M6.5 9h3",
  health: "M1.5 8.5h3l2-5 3 9 2-4h3",
  tap: "M8 2v2M3.8 3.8l1.4 1.4M2 8h2M7 7l6.5 2.6-2.8 1.1-1.1 2.8z",
  input: "M5 3h2m2 0h2M8 3v10M5 13h2m2 0h2",
  key: "M1.75 4.5h12.5v7H1.75zM4 7h.5m2.5 0h.5m2.5 0h.5M5 9.25h6",
  swipe: "M2.5 8h10M9 4.5 12.5 8 9 11.5",
  scroll: "M8 2v12M4.5 5.5 8 2l3.5 3.5M4.5 10.5 8 14l3.5-3.5",
  look: "M1.5 8S4 3.75 8 3.75 14.5 8 14.5 8 12 12.25 8 12.25 1.5 8 1.5 8zM8 6.25a1.75 1.75 0 1 1 0 3.5 1.75 1.75 0 0 1 0-3.5z",
  screenshot: "M1.75 4.25h3l1-1.5h4.5l1 1.5h3v8.5H1.75zM8 6a2.25 2.25 0 1 1 0 4.5A2.25 2.25 0 0 1 8 6z",
  find: "M7 2.5a4.5 4.5 0 1 1 0 9 4.5 4.5 0 0 1 0-9zM10.5 10.5l3.25 3.25",
  wait: "M8 1.75a6.25 6.25 0 1 1 0 12.5A6.25 6.25 0 0 1 8 1.75zM8 4.5V8l2.5 1.5",
  launch: "M9 2h5v5M14 2 7.5 8.5M12 9.5V14H2V4h4.5",
  stop: "M3.5 3.5h9v9h-9z",
  steps: "M2 4h2m2.5 0H14M2 8h2m2.5 0H14M2 12h2m2.5 0H14",
  rotate: "M13.5 8A5.5 5.5 0 1 1 11 3.4M11 1v2.75H8.25",
  other: "M8 6.75a1.25 1.25 0 1 1 0 2.5 1.25 1.25 0 0 1 0-2.5z",
  export: "M8 10V2M4.75 5 8 1.75 11.25 5M2.5 9.5V14h11V9.5",
  run: "M4.5 2.5v11l8.5-5.5z",
  hold: "M5 3v10M11 3v10",
  approve: "M2.5 8.5 6 12l7.5-8",
  step: "M3 3v10l6-5zM12.5 3v10",
  back: "M9.5 3 4.5 8l5 5",
  home: "M2.5 7.5 8 2.5l5.5 5M4 6.5v7h8v-7",
  recents: "M3 3h10v10H3z",
  power: "M8 1.75V7.5M4.5 4a5.5 5.5 0 1 0 7 0",
  volume_up: "M2 6v4h2.5L8 13V3L4.5 6zM10.5 8h4M12.5 6v4",
  volume_down: "M2 6v4h2.5L8 13V3L4.5 6zM10.5 8h4",
  copy: "M5.5 5.5V2.25h8.25v8.25H10.5M2.25 5.5h8.25v8.25H2.25z",
  save: "M8 2v8M4.75 7 8 10.25 11.25 7M2.5 10.5V14h11v-3.5",
  bell: "M4 11V7a4 4 0 0 1 8 0v4l1.25 1.25H2.75zM6.5 14.25h3",
  filter: "M2 3h12L9.5 8.5V13l-3-1.5v-3z",
  close: "M4 4l8 8M12 4l-8 8",
  plus: "M8 3v10M3 8h10",
  minus: "M3 8h10",
};

const NAMES = { drag: "swipe", pinch: "scroll", open: "launch", dump: "steps", ocr: "find", visual_find_text: "find",
  visual_find_image: "find", "visual-find-text": "find", "visual-find-image": "find" };

/* An icon by its name or by an operation. */
export function icon(name) {
  const shape = document.createElementNS(SPACE, "svg");
  const path = document.createElementNS(SPACE, "path");
  shape.setAttribute("viewBox", "0 0 16 16");
  shape.setAttribute("aria-hidden", "true");
  shape.setAttribute("class", "icon");
  path.setAttribute("d", PATHS[NAMES[name] ?? name] ?? PATHS.other);
  shape.append(path);
  return shape;
}

/* The icon of a call. */
export const iconOf = ({ acts, operation }) =>
  icon(acts || ["screenshot", "find", "wait"].includes(operation) ? operation : "look");
