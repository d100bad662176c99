// The lanes: a column per thread, with time going down. Only visible steps are in the document.

const RAIL = 26, SLOT = 7, NARROWEST = 150, WIDEST = 420, MOST_SLOTS = 4, SPARE = 300;
const GROUP = 7;  // steps are added and removed in groups of GROUP + 1
const EXTRA = 130;  // extra width of the last lane, whose text has no other lanes to cover

const ARROWS = {
  create: "creates", join: "ends, and is joined", cancel: "cancels", lock: "releases, and the other takes",
  wake: "wakes", take: "raises, and the other lowers", barrier: "arrives last at",
  once: "is done with the routine of",
};

class Timeline {
  /** root: the element that scrolls. pick: called with the step that was clicked. */
  constructor(root, trace, pick) {
    this.root = root;
    this.trace = trace;
    this.step = 0;
    this.rows = new Map();
    this.slots = trace.threads.map(() => 0);
    for (const [thread, , , , , slot] of trace.answer.bars) {
      this.slots[thread] = Math.min(MOST_SLOTS, Math.max(this.slots[thread], slot + 1));
    }
    this.heads = element("div", {class: "heads", "aria-hidden": "true"});
    this.drawing = drawn("svg", {class: "drawing", "aria-hidden": "true"});
    this.content = element("div", {class: "content", role: "listbox", "aria-label": "Steps"});
    this.end = element("div", {class: "end"});
    this.root.replaceChildren(this.heads, this.content, this.end);
    this.content.append(this.drawing);
    this.content.onclick = (event) => {
      if (!window.getSelection().isCollapsed) return;
      pick(trace.at(event.clientY - this.content.getBoundingClientRect().top));
    };
    this.root.onscroll = () => this.later();
    this.resized = new ResizeObserver(() => this.measure());
    this.resized.observe(root);
    this.measure();
  }

  /** Detach from the element that scrolls. */
  leave() {
    this.resized.disconnect();
    this.root.onscroll = null;
  }

  /** Draw in the next frame of the browser. */
  later() {
    if (this.asked) return;
    this.asked = true;
    requestAnimationFrame(() => { this.asked = false; this.draw(); });
  }

  /** Divide the width among the lanes; if it is too small, they extend to the right. */
  measure() {
    const count = this.trace.threads.length, room = this.root.clientWidth, extra = count > 1 ? EXTRA : 0;
    this.lane = Math.max(NARROWEST, Math.min(WIDEST, Math.floor((room - extra) / count)));
    this.width = Math.max(room, this.lane * count + extra);
    this.heads.replaceChildren(...this.trace.threads.map((name, thread) => {
      const start = element("span", {}, this.trace.answer.functions[thread]);
      const head = element("div", {class: "head", title: name}, badge(this.trace, thread), start);
      head.style.left = `${thread * this.lane}px`;
      head.style.width = `${thread === count - 1 ? this.width - thread * this.lane : this.lane}px`;
      return head;
    }));
    this.heads.style.width = this.content.style.width = `${this.width}px`;
    this.content.style.height = `${this.trace.top[this.trace.count]}px`;
    this.end.style.width = `${room - 32}px`;
    for (const row of this.rows.values()) row.remove();
    this.rows.clear();
    this.show(this.step);
  }

  rail(thread) { return thread * this.lane + RAIL; }
  left(thread) { return this.rail(thread) + 14 + this.slots[thread] * SLOT; }

  /** Make the step the current one, and scroll to it. */
  show(step) {
    const trace = this.trace;
    this.rows.get(this.step)?.setAttribute("aria-selected", "false");
    this.step = step;
    const head = this.heads.offsetHeight, height = this.root.clientHeight;
    const top = trace.top[step] + head, bottom = trace.top[step + 1] + head;
    const margin = Math.min(90, height / 4);
    const from = this.root.scrollTop;
    let y = from;
    if (top - head - margin < from) y = top - head - margin;
    else if (bottom + margin > from + height) y = bottom + margin - height;
    if (step === trace.count - 1) y = Math.max(y, Math.min(top - head - 8, bottom + this.end.offsetHeight + 24 - height));
    if (Math.abs(y - from) > height) y = top - height / 2;
    if (y !== from) this.root.scrollTop = Math.max(0, y);
    const left = trace.thread(step) * this.lane, seen = this.root.scrollLeft, room = this.root.clientWidth;
    if (left < seen || left + this.lane > seen + room) this.root.scrollLeft = Math.max(0, left - (room - this.lane) / 2);
    this.draw();
    this.root.setAttribute("aria-activedescendant", `row-${step + 1}`);
  }

  /** Draw the visible steps, and some more. */
  draw() {
    const trace = this.trace, from = this.root.scrollTop, height = this.root.clientHeight;
    // In groups, so that for most steps nothing is added or removed.
    const first = trace.at(from - SPARE) & ~GROUP, last = Math.min(trace.count - 1, trace.at(from + height + SPARE) | GROUP);
    for (const [i, row] of this.rows) {
      if ((i < first || i > last) && i !== this.step) {
        row.remove();
        this.rows.delete(i);
      }
    }
    const fresh = [];
    for (const i of [...this.between(first, last), this.step]) {
      if (!this.rows.has(i)) {
        const row = this.row(i);
        this.rows.set(i, row);
        fresh.push(row);
      }
    }
    this.content.append(...fresh);
    this.rows.get(this.step)?.setAttribute("aria-selected", "true");
    this.paint(first, last);
    this.accent(first, last);
  }

  *between(first, last) {
    for (let i = first; i <= last; i++) yield i;
  }

  /** The element of a step. */
  row(i) {
    const trace = this.trace, thread = trace.thread(i), place = trace.placeOf(i), effects = trace.effects(i);
    const file = data.files.length > 1 ? `${shortName(place[0])}:` : "";
    const body = element(
      "div",
      {class: "body"},
      element("div", {class: "code", title: trace.source(i)}, element("span", {class: "at"}, `${file}${place[1]}`), trace.source(i)),
    );
    for (const [kind, said] of effects.slice(0, MOST_EFFECTS)) body.append(element("div", {class: `effect ${kind}`, title: said}, said));
    if (effects.length > MOST_EFFECTS) body.append(element("div", {class: "effect"}, `and ${effects.length - MOST_EFFECTS} more`));
    const left = this.left(thread);
    body.style.marginLeft = `${left}px`;
    body.style.width = `${this.width - left - 8}px`;
    const said = [`Step ${i + 1}`, trace.threads[thread], `line ${place[1]}`, trace.source(i), ...effects.map((effect) => effect[1])];
    const row = element("div", {
      class: `step t${thread % 8}${trace.isBad(i) ? " bad" : ""}`,
      id: `row-${i + 1}`, role: "option", "aria-selected": "false", "aria-posinset": i + 1, "aria-setsize": trace.count,
      "aria-label": said.join(", "),
    });
    row.style.top = `${trace.bodyTop(i) - ABOVE}px`;
    row.style.height = `${trace.top[i + 1] - trace.bodyTop(i) + ABOVE}px`;
    row.append(body);
    return row;
  }

  /** Draw the lines, bars and arrows of the steps from first to last, unless they are already drawn. */
  paint(first, last) {
    const said = `${first}/${last}/${this.lane}/${this.width}`;
    if (said === this.painted) return;
    this.painted = said;
    const trace = this.trace, top = trace.top[first], bottom = trace.top[last + 1];
    this.drawing.style.top = `${top}px`;
    this.drawing.setAttribute("width", this.width);
    this.drawing.setAttribute("height", bottom - top);
    this.drawing.setAttribute("viewBox", `0 ${top} ${this.width} ${bottom - top}`);
    const parts = [];
    const ends = (i) => (i < trace.count ? trace.nodeY(i) : trace.top[trace.count]);
    const line = (name, x, from, to, title) => {
      const y1 = Math.max(from, top - 20), y2 = Math.min(to, bottom + 20);
      if (y2 > y1) parts.push(drawn("line", {class: name, x1: x, x2: x, y1, y2}, title));
    };
    for (const [thread, start, end] of trace.answer.lives) {
      const from = thread && start < trace.count ? trace.top[start + 1] - 4 : ends(start);  // where the arrow to it turns
      line(`rail t${thread % 8}`, this.rail(thread), from, ends(end));
    }
    for (const [thread, start, end] of trace.answer.sleeps) {
      line("asleep", this.rail(thread), ends(start), ends(end), "waits for a condition variable");
    }
    for (const [thread, start, end, name, reading, slot] of trace.answer.bars) {
      const x = this.rail(thread) + 12 + Math.min(slot, MOST_SLOTS - 1) * SLOT;
      const said = `holds ${text(name)}${reading ? " for reading" : ""} since step ${start + 1}`;
      line(`bar t${thread % 8}${reading ? " reading" : ""}`, x, ends(start), Math.max(ends(end), ends(start) + 8), said);
    }
    this.paintGaps(first, last, parts);
    trace.answer.arrows.forEach((arrow, number) => {
      if (arrow[1] <= last && arrow[2] >= first) parts.push(...this.arrow(arrow, number, false, top, bottom));
    });
    for (let i = first; i <= last; i++) parts.push(this.node(i, false));
    this.accents = drawn("g", {});
    this.drawing.replaceChildren(...parts, this.accents);
  }

  /** Draw the highlights: the sign of the current step, and its arrows. */
  accent(first, last) {
    const trace = this.trace, parts = [];
    trace.answer.arrows.forEach((arrow, number) => {
      if (arrow[1] !== this.step && arrow[2] !== this.step) return;
      if (arrow[1] <= last && arrow[2] >= first) parts.push(...this.arrow(arrow, number, true, trace.top[first], trace.top[last + 1]));
    });
    if (this.step >= first && this.step <= last) parts.push(this.node(this.step, true));
    this.accents.replaceChildren(...parts);
  }

  /** The sign of a step on the line of its thread. */
  node(i, current) {
    const trace = this.trace, thread = trace.thread(i), x = this.rail(thread), y = trace.nodeY(i);
    const name = `node t${thread % 8}${current ? " current" : ""}`;
    if (trace.isBad(i) && !trace.stands(i)) {
      return drawn("path", {class: `${name} bad`, d: `M${x - 6},${y - 6} l12,12 m0,-12 l-12,12`}, "the violation");
    }
    if (trace.stands(i)) return drawn("rect", {class: name, x: x - 6, y: y - 6, width: 12, height: 12}, "is here in the end");
    return drawn("circle", {class: name, cx: x, cy: y, r: current ? 6.5 : 4.5});
  }

  /** Draw the headings between steps: context switches, the beginning of a cycle, and the end. */
  paintGaps(first, last, parts) {
    const trace = this.trace;
    for (let i = first; i <= last; i++) {
      let y = trace.top[i] + SWITCH / 2;
      const heading = (said, name) => {
        parts.push(drawn("line", {class: name, x1: 0, x2: this.width, y1: y, y2: y}));
        const label = drawn("text", {class: `${name} label`, x: 8, y: y - 4});
        label.textContent = said;
        parts.push(label);
        y += SWITCH;
      };
      if (!trace.gap[i]) continue;
      if (i === trace.answer.cycle) heading("from here on, for ever ↻", "cycle");
      if (i === trace.stand) {
        heading("in the end", "final");
        continue;
      }
      if (i && trace.thread(i) !== trace.thread(i - 1) && !trace.stands(i)) this.paintSwitch(i, y, parts);
    }
    if (trace.answer.cycle === trace.count && last === trace.count - 1) {
      const y = trace.top[trace.count] - 2;
      parts.push(drawn("line", {class: "cycle", x1: 0, x2: this.width, y1: y, y2: y}));
    }
  }

  paintSwitch(i, y, parts) {
    const trace = this.trace, thread = trace.thread(i);
    const from = this.rail(trace.thread(i - 1)), to = this.rail(thread);
    const seen = trace.ofThread[thread][0] < i;
    const way = `M${from},${trace.top[i] - 2} V${y} H${to} V${trace.bodyTop(i) + 2}`;
    parts.push(drawn("line", {class: "switch", x1: 0, x2: this.width, y1: y, y2: y}));
    parts.push(drawn("path", {class: "handover", d: way}, `context switch: ${trace.threads[thread]} ${seen ? "goes on" : "starts"}`));
    const label = drawn("text", {class: "switch label", x: to + 14 + this.slots[thread] * SLOT, y: y - 4});
    label.textContent = seen ? "goes on" : "starts";
    parts.push(label);
  }

  /** Draw an arrow: it leaves the line of its thread between two rows, and comes down next to the line of the other. */
  arrow([kind, start, end, name], number, touched, top, bottom) {
    const trace = this.trace;
    const from = this.rail(trace.thread(start)), to = this.rail(trace.thread(end));
    const y1 = trace.top[start + 1] - 4, y2 = trace.nodeY(end);
    const gutter = to - 11 - 4 * (number % 3), side = gutter > from ? 1 : -1, r = 5;
    const what = `${ARROWS[kind]} ${text(name)}`.trim();
    const said = `${trace.threads[trace.thread(start)]} ${what}: step ${start + 1} → step ${end + 1}`;
    const style = `arrow ${kind}${touched ? " near" : ""}`;
    const high = Math.max(y1, top - 50), low = Math.min(y2, bottom + 50);
    let way = "";
    if (y1 < top - 50) way = `M${gutter},${high}`;
    else {
      way = `M${from},${Math.min(trace.nodeY(start) + 5, y1)} V${y1 - r} q0,${r} ${side * r},${r}`;
      way += ` H${gutter - side * r} q${side * r},0 ${side * r},${r}`;
    }
    if (y2 <= bottom + 50) way += ` V${y2 - r} q0,${r} ${r},${r} H${to - 8}`;
    else way += ` V${low}`;
    const line = drawn("path", {class: style, d: way}, said);
    if (y2 > bottom + 50) return [line];
    return [line, drawn("path", {class: `${style} tip`, d: `M${to - 12},${y2 - 4} L${to - 5},${y2} L${to - 12},${y2 + 4} Z`})];
  }
}

/** The last part of a file's name. */
function shortName(file) { return data.files[file].name.replace(/^.*\//, ""); }
