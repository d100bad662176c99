// The page as a whole: the current step, keys, buttons, the slider, the address, the theme, and printing.

const at = (id) => document.getElementById(id);
const PAGE = 10;  // steps per page
const MOST_PRINTED = 5000;
const MOST_WAYS = 8;  // arrows of a step that are described in words

let trace, timeline, source, values, step = 0, chosen = 0, writing = 0;

/** Show an answer, at a step. */
function choose(number, wanted) {
  chosen = number;
  timeline?.leave();
  trace = new Trace(data.answers[number]);
  at("answer").value = String(number);
  at("slider").max = trace.count;
  timeline = new Timeline(at("lanes"), trace, go);
  fillFinding(timeline.end, trace, go);
  source = new Source(at("files"), at("source"), trace, goToLine);
  values = new Values(at("values"), trace, go);
  go(wanted);
  paintOverview();
}

/** Make a step the current one; numbers out of range become the first or the last step. */
function go(wanted) {
  step = Math.max(0, Math.min(trace.count - 1, wanted));
  // Everything is changed before anything is measured, so that the browser lays the page out only once.
  describe();
  values.show(step);
  source.show(step);
  values.reveal();
  source.reveal();
  timeline.show(step);
  at("slider").value = step + 1;
  at("slider").setAttribute("aria-valuetext", `step ${step + 1} of ${trace.count}`);
  at("position").textContent = `step ${step + 1} of ${trace.count}`;
  for (const button of document.querySelectorAll("[data-go]")) {
    const on = /on$|^last$/.test(button.dataset.go);
    button.disabled = on ? step === trace.count - 1 : step === 0;
  }
  document.documentElement.dataset.step = step + 1;
  clearTimeout(writing);
  writing = setTimeout(writeAddress, 200);  // browsers reject an address that changes too often
}

/** Describe the current step in words. */
function describe() {
  const place = trace.placeOf(step), thread = trace.thread(step);
  const where = [`${data.files[place[0]].name}:${place[1]}`, trace.where(step)].filter(Boolean).join(", ");
  const parts = [
    element("p", {class: "who"}, badge(trace, thread), element("b", {}, trace.threads[thread]), element("span", {class: "where"}, where)),
    element("p", {class: "what"}, trace.source(step)),
  ];
  const effects = trace.effects(step).filter(([kind]) => kind !== "call").map(([, said]) => said);
  if (effects.length) parts.push(element("p", {class: "effects"}, effects.join(" · ")));
  const ways = trace.answer.arrows.filter(([, from, to]) => from === step || to === step).slice(0, MOST_WAYS);
  if (ways.length) parts.push(element("p", {class: "ways"}, ...ways.map(way)));
  at("now").replaceChildren(...parts);
}

// What an arrow says at its end, and at its beginning; the name of the object comes in between.
const WAYS = {
  create: ["created in", "begins with"], join: ["waited for", "joined in"], cancel: ["cancelled in", "noticed in"],
  lock: ["got", "gives"], wake: ["woken by", "wakes"], take: ["got", "gives"], barrier: ["leaves", "opens"],
  once: ["finds", "is done with"],
};
const BETWEEN = {
  lock: ["from", "to"], take: ["from", "to"], barrier: ["because of", "for"], once: ["done by", "before"],
};

/** An arrow of the current step in words, with a link to its other end. */
function way([kind, from, to, name]) {
  const side = to === step ? 0 : 1, other = side ? to : from;
  const link = element("button", {type: "button", "data-step": other}, `step ${other + 1}`);
  const between = BETWEEN[kind] ? `${text(name)} ${BETWEEN[kind][side]} ` : "";
  return element("span", {}, `${side ? "→" : "←"} ${WAYS[kind][side]} ${between}`, link, ` ${trace.threads[trace.thread(other)]}`);
}
at("now").onclick = (event) => {
  const link = event.target.closest("button[data-step]");
  if (link) go(Number(link.dataset.step));
};

/** The next step at a line of a file, or else the first one. */
function goToLine(file, line) {
  const there = (i) => trace.placeOf(i)[0] === file && trace.placeOf(i)[1] === line;
  for (let i = step + 1; i < trace.count; i++) if (there(i)) return go(i);
  for (let i = 0; i <= step; i++) if (there(i)) return go(i);
}

const MOVES = {
  first: () => 0,
  last: () => trace.count - 1,
  on: () => step + 1,
  back: () => step - 1,
  "page-on": () => step + PAGE,
  "page-back": () => step - PAGE,
  "switch-on": () => trace.switchFrom(step, true),
  "switch-back": () => trace.switchFrom(step, false),
};
const KEYS = {
  ArrowDown: "on", ArrowRight: "on", j: "on", ArrowUp: "back", ArrowLeft: "back", k: "back", Home: "first", End: "last",
  PageDown: "page-on", PageUp: "page-back", n: "switch-on", p: "switch-back",
};

document.addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey || at("about").open) return;
  if (event.target.closest("select, [role=tablist]")) return;
  const move = KEYS[event.key];
  if (move) go(MOVES[move]());
  else if (event.key === "?") at("about").showModal();
  else if (event.key === "t") turn();
  else return;
  event.preventDefault();
});
at("files").addEventListener("keydown", (event) => {
  const tab = event.target.closest("[role=tab]");
  const next = event.key === "ArrowRight" ? tab?.nextElementSibling : event.key === "ArrowLeft" ? tab?.previousElementSibling : null;
  next?.focus();
  next?.click();
});
for (const button of document.querySelectorAll("[data-go]")) button.onclick = () => go(MOVES[button.dataset.go]());
at("slider").oninput = () => go(Number(at("slider").value) - 1);
at("answer").onchange = () => {
  choose(Number(at("answer").value), 0);
  at("lanes").focus({preventScroll: true});  // so that keys step again
};
at("help").onclick = () => at("about").showModal();
at("about").onclick = (event) => { if (event.target === at("about")) at("about").close(); };

// --- the address: #step-17, or #no-deadlock.step-17 where there are several answers ---

function readAddress() {
  const match = /^#(?:(.*)\.)?step-(\d+)$/.exec(decodeURIComponent(location.hash));
  if (!match) return [-1, -1];
  return [data.answers.findIndex((answer) => answer.name === match[1]), Number(match[2]) - 1];
}

function writeAddress() {
  const name = data.answers.length > 1 ? `${encodeURIComponent(trace.answer.name)}.` : "";
  const address = `#${name}step-${step + 1}`;
  if (location.hash !== address) history.replaceState(null, "", address);
}

window.addEventListener("hashchange", () => {
  const [number, wanted] = readAddress();
  if (wanted < 0) return;
  if (number >= 0 && number !== chosen) choose(number, wanted);
  else if (wanted !== step) go(wanted);
});

// --- the picture of all steps above the slider ---

function paintOverview() {
  const canvas = at("overview"), width = canvas.clientWidth, threads = trace.threads.length;
  const ratio = window.devicePixelRatio || 1, row = Math.max(1, Math.min(5, Math.floor(20 / threads))), height = row * threads;
  canvas.width = Math.max(1, width * ratio);
  canvas.height = height * ratio;
  canvas.style.height = `${height}px`;
  const pen = canvas.getContext("2d"), style = getComputedStyle(document.documentElement);
  const colours = Array.from({length: 8}, (_, t) => style.getPropertyValue(`--t${t}`));
  pen.scale(ratio, ratio);
  const inset = 8, room = width - 2 * inset, one = room / Math.max(1, trace.count - 1);  // as far as the slider's thumb moves
  for (let i = 0; i < trace.count; i++) {
    pen.fillStyle = colours[trace.thread(i) % 8];
    pen.fillRect(inset + (i - 0.5) * one, trace.thread(i) * row, Math.max(1, one - (one > 4 ? 1 : 0)), Math.max(1, row - 1));
  }
}
new ResizeObserver(() => trace && paintOverview()).observe(at("slider"));
new ResizeObserver(() => source?.reveal()).observe(at("source"));

// --- dark or light ---

const dark = window.matchMedia("(prefers-color-scheme: dark)");

function isDark() {
  const set = document.documentElement.dataset.theme;
  return set ? set === "dark" : dark.matches;
}

function turn(theme = isDark() ? "light" : "dark") {
  document.documentElement.dataset.theme = theme;
  try { localStorage.setItem("cseq-theme", theme); } catch { /* this page has no storage: the theme is not kept */ }
  themed();
}

function themed() {
  at("theme").textContent = isDark() ? "☀ light" : "☾ dark";
  if (trace) paintOverview();
}
at("theme").onclick = () => turn();
dark.addEventListener("change", themed);
try {
  const kept = localStorage.getItem("cseq-theme");
  if (kept === "dark" || kept === "light") document.documentElement.dataset.theme = kept;
} catch { /* as above */ }

// --- printing: a table of all steps, since paper does not scroll ---

window.addEventListener("beforeprint", () => {
  const rows = [];
  for (let i = 0; i < Math.min(trace.count, MOST_PRINTED); i++) {
    const place = trace.placeOf(i), thread = trace.thread(i);
    const away = i && !trace.stands(i) && trace.thread(i - 1) !== thread;
    const said = trace.effects(i).map((effect) => element("div", {class: "effect"}, effect[1]));
    rows.push(element(
      "tr", {class: away ? "switched" : null},
      element("td", {}, String(i + 1)), element("td", {}, trace.stands(i) ? `${trace.threads[thread]}, in the end` : trace.threads[thread]),
      element("td", {}, `${shortName(place[0])}:${place[1]}`), element("td", {}, element("code", {}, trace.source(i)), ...said),
    ));
  }
  const head = element("tr", {}, ...["step", "thread", "place", "what"].map((name) => element("th", {scope: "col"}, name)));
  const finding = timeline.end.firstChild.cloneNode(true);
  finding.removeAttribute("id");
  const cut = trace.count > MOST_PRINTED ? [element("p", {}, `and ${trace.count - MOST_PRINTED} more steps`)] : [];
  at("print").replaceChildren(element("table", {}, element("thead", {}, head), element("tbody", {}, ...rows)), ...cut, finding);
});
window.addEventListener("afterprint", () => at("print").replaceChildren());

// --- the legend of signs ---

function fillSigns() {
  const sign = (make, said) => {
    const box = drawn("svg", {width: 46, height: 18, class: "drawing", "aria-hidden": "true"});
    box.append(...make);
    at("signs").append(element("tr", {}, element("td", {}, box), element("td", {}, said)));
  };
  const arrow = (kind) => [
    drawn("path", {class: `arrow ${kind}`, d: "M4,9 H34"}), drawn("path", {class: `arrow ${kind} tip`, d: "M33,5 L40,9 L33,13 Z"}),
  ];
  sign([drawn("circle", {class: "node t0", cx: 22, cy: 9, r: 4.5})], "a step of a thread");
  sign([drawn("path", {class: "node t0 bad", d: "M16,3 l12,12 m0,-12 l-12,12"})], "the step that violates the property");
  sign([drawn("rect", {class: "node t0", x: 16, y: 3, width: 12, height: 12})], "the thread is here in the end");
  sign([drawn("path", {class: "handover", d: "M8,2 V9 H36 V16"})], "a context switch");
  sign([drawn("line", {class: "bar t0", x1: 22, x2: 22, y1: 0, y2: 18})], "the thread holds a lock");
  sign([drawn("line", {class: "bar t0 reading", x1: 22, x2: 22, y1: 0, y2: 18})], "it holds one for reading");
  const broken = ["rail t0", "asleep"].map((name) => drawn("line", {class: name, x1: 22, x2: 22, y1: 0, y2: 18}));
  sign(broken, "it waits for a condition variable");
  sign(arrow("create"), "creates, cancels, or is joined by");
  sign(arrow("lock"), "releases a lock, which the other takes next");
  sign(arrow("wake"), "wakes the other by a signal or broadcast");
  sign(arrow("take"), "raises a semaphore, arrives last at a barrier, or has run the routine of a pthread_once");
}

fillSigns();
themed();
at("answer").replaceChildren(...data.answers.map((answer, number) => element("option", {value: number}, answer.name || answer.message)));
at("choice").hidden = data.answers.length < 2;
const [first, wanted] = readAddress();
choose(Math.max(0, first), Math.max(0, wanted));
at("lanes").focus({preventScroll: true});
document.documentElement.dataset.ready = "yes";
