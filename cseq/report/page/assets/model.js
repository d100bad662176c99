// The data of the page, and the state at each step. Steps are numbered from 0 here, and from 1 for the reader.

const READ = 0, WRITE = 1;  // kinds of accesses; 2 is the indeterminate value after a declaration
const CODE = 20, EFFECT = 17, ABOVE = 5, BELOW = 11, SWITCH = 24;  // heights, in pixels; page.css has the same
const MOST_EFFECTS = 8;  // lines shown of what a step does; the side panel shows all
const INDEX = /(?<=\[)(\d+)(?=\])/, FEW_ELEMENTS = 4;  // accesses to fewer elements are shown one by one

const data = JSON.parse(document.getElementById("data").textContent);
const text = (number) => data.strings[number];

/** The number of items of the sorted list that are at most `value`. */
function countUpTo(sorted, value) {
  let low = 0, high = sorted.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (sorted[middle] <= value) low = middle + 1; else high = middle;
  }
  return low;
}

/** The position of the index that is one larger in the second name, if nothing else differs; else -1. */
function nextElement(name, other) {
  const parts = name.split(INDEX), others = other.split(INDEX);
  if (parts.length !== others.length) return -1;
  const at = parts.findIndex((part, n) => part !== others[n]);
  const alone = at % 2 === 1 && parts.every((part, n) => n === at || part === others[n]);
  return alone && Number(others[at]) === Number(parts[at]) + 1 ? at : -1;
}

/** The end of the accesses from `start` on that are to consecutive elements and have one value. */
function endOfRun(accesses, start) {
  let end = start + 4;
  for (let last = -1; end < accesses.length; end += 4) {
    if (accesses[end] !== accesses[start] || accesses[end + 3] !== accesses[start + 3]) break;
    const at = nextElement(text(accesses[end - 2]), text(accesses[end + 2]));
    if (at < 0 || (last >= 0 && at !== last)) break;
    last = at;
  }
  return end - start < 4 * FEW_ELEMENTS ? start + 4 : end;
}

/** One execution: an answer of the data, with indices that give the state at a step quickly. */
class Trace {
  constructor(answer) {
    this.answer = answer;
    this.steps = answer.steps;
    this.count = answer.steps.length;
    this.threads = answer.threads;
    this.switches = [];  // the steps before which another thread ran
    this.ofThread = answer.threads.map(() => []);
    this.gap = new Uint8Array(this.count);  // the number of headings before a step
    this.news = new Uint8Array(this.count);  // whether the thread is in another call than at its last step
    this.stand = this.count;  // the first of the final steps, in which threads no longer move
    const paths = answer.threads.map(() => "");
    this.steps.forEach((step, i) => {
      const thread = step[0];
      this.ofThread[thread].push(i);
      if (step[7] && this.stand === this.count) this.stand = i;
      if (i && !step[7] && this.steps[i - 1][0] !== thread) this.switches.push(i);
      const path = `${step[2] || 0}/${data.places[step[1]][2]}`;
      this.news[i] = step[2] && paths[thread] !== path ? 1 : 0;
      paths[thread] = path;
    });
    for (const i of this.switches) this.gap[i]++;
    if (this.stand < this.count) this.gap[this.stand]++;
    if (answer.cycle !== null && answer.cycle < this.count) this.gap[answer.cycle]++;
    this.place();
    this.remember();
  }

  /** The position of each step in the picture. */
  place() {
    this.top = new Float64Array(this.count + 1);
    this.lines = new Uint8Array(this.count);
    for (let i = 0; i < this.count; i++) {
      this.lines[i] = Math.min(this.effects(i).length, MOST_EFFECTS + 1);
      this.top[i + 1] = this.top[i] + ABOVE + CODE + this.lines[i] * EFFECT + BELOW + this.gap[i] * SWITCH;
    }
  }

  /** The values of each variable over time. */
  remember() {
    this.histories = this.answer.variables.map(() => ({steps: [], values: [], kinds: []}));
    this.steps.forEach((step, i) => {
      const accesses = step[5] || [];
      for (let a = 0; a < accesses.length; a += 4) {
        const history = this.histories[accesses[a + 1]];
        if (!history) continue;  // the result of a call, which is no variable
        history.steps.push(i);
        history.values.push(accesses[a + 3]);
        history.kinds.push(accesses[a]);
      }
    });
  }

  thread(i) { return this.steps[i][0]; }
  stands(i) { return Boolean(this.steps[i][7]); }
  /** Whether a step violates the property. */
  isBad(i) { return this.answer.violated && (this.stands(i) || (i === this.count - 1 && this.answer.cycle === null)); }
  placeOf(i) { return data.places[this.steps[i][1]]; }  // file, line, function, source
  source(i) { return this.placeOf(i)[3]; }

  /** The y of the first line of a step. */
  bodyTop(i) {
    return this.top[i + 1] - BELOW - CODE - this.lines[i] * EFFECT;
  }

  nodeY(i) { return this.bodyTop(i) + CODE / 2; }

  /** The step at the height y. */
  at(y) { return Math.max(0, Math.min(this.count - 1, countUpTo(this.top, y) - 1)); }

  /** The place of a step besides its line, in words: its function, iteration, and calls. */
  where(i) {
    const step = this.steps[i], name = this.placeOf(i)[2];
    const iteration = step[3] ? `, iteration ${step[3].join(".")}` : "";
    const path = data.paths[step[2] || 0];
    return `${name ? `in ${name}` : ""}${iteration}${path ? `, ${path[0]}` : ""}`.replace(/^, /, "");
  }

  /** What a step does, as pairs of a kind and a text. */
  effects(i) {
    const step = this.steps[i], found = [];
    if (this.news[i]) found.push(["call", this.where(i)]);
    for (const event of step[4] || []) found.push(["event", text(event)]);
    for (const input of step[6] || []) found.push(["input", text(input) ? `is given the input ${text(input)}` : "is given some input"]);
    const accesses = step[5] || [];
    for (let a = 0, end; a < accesses.length; a = end) {
      end = endOfRun(accesses, a);
      const first = text(accesses[a + 2]), value = text(accesses[a + 3]);
      const name = end > a + 4 ? `${first} … ${text(accesses[end - 2])}` : first;
      if (accesses[a] === READ) found.push(["read", `reads ${name} = ${value}`]);
      else if (accesses[a] === WRITE) found.push(["write", `${name} = ${value}`]);
      else found.push(["undefined", `${name} is undefined, here ${value}`]);
    }
    return found;
  }

  /** The last step of a thread up to a step; -1 before its first step, and after it has ended. */
  current(thread, i) {
    const count = countUpTo(this.ofThread[thread], i);
    if (!count) return -1;
    const life = this.answer.lives.find((span) => span[0] === thread);
    const last = this.ofThread[thread][count - 1];
    return life && i > life[2] && last <= life[2] ? -1 : last;
  }

  /** The value of a variable after a step: its string, and where it was written and last accessed; null if unknown. */
  value(variable, i) {
    const history = this.histories[variable];
    const count = countUpTo(history.steps, i);
    if (!count) {
      // A value that is read before any write has been there from the beginning.
      const initial = history.kinds[0] === READ && this.answer.variables[variable][2] < 0;
      return initial ? {value: text(history.values[0]), written: -1, touched: -1, kind: -1} : null;
    }
    let written = count - 1;
    while (written >= 0 && history.kinds[written] === READ) written--;
    let kind = -1;  // what this step does with it; a write takes precedence over a read
    for (let h = count - 1; h >= 0 && history.steps[h] === i; h--) kind = Math.max(kind, history.kinds[h] === READ ? READ : WRITE);
    return {
      value: text(history.values[count - 1]),
      written: written < 0 ? -1 : history.steps[written],
      touched: history.steps[count - 1],
      kind,
    };
  }

  /** The next context switch after step i, or the previous one; the last or the first step if there is none. */
  switchFrom(i, on) {
    const count = countUpTo(this.switches, on ? i : i - 1);
    if (on) return count < this.switches.length ? this.switches[count] : this.count - 1;
    return count ? this.switches[count - 1] : 0;
  }
}

/** An element. attributes: by name. children: elements and texts; texts are never parsed as markup. */
function element(tag, attributes = {}, ...children) {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (value !== null && value !== undefined && value !== false) made.setAttribute(name, value === true ? "" : value);
  }
  made.append(...children);
  return made;
}

/** An element of a drawing. */
function drawn(tag, attributes, title) {
  const made = document.createElementNS("http://www.w3.org/2000/svg", tag);
  for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, value);
  if (title) {
    const tip = document.createElementNS("http://www.w3.org/2000/svg", "title");
    tip.textContent = title;
    made.append(tip);
  }
  return made;
}

/** The sign of a thread: its number in its colour. */
function badge(trace, thread) {
  return element("span", {class: `badge t${thread % 8}`, title: trace.threads[thread]}, String(trace.answer.numbers[thread]));
}
