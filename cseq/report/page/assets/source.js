// The source: one file at a time, with the line of the current step highlighted, and marks where the other threads are.

const KEYWORDS = new Set((
  "auto break case char const continue default do double else enum extern float for goto if inline int long register " +
  "restrict return short signed sizeof static struct switch typedef union unsigned void volatile while _Atomic _Bool " +
  "_Thread_local _Noreturn _Static_assert bool true false NULL"
).split(" "));
const TOKENS = /\/\*|\/\/.*|"(?:\\.|[^"\\])*"?|'(?:\\.|[^'\\])*'?|^\s*#\s*\w+|[A-Za-z_]\w*|[0-9][\w.]*/g;
const BLOCK = 100;  // lines that are laid out together when they become visible

class Source {
  /** tabs, root: the elements for the names of files, and for the lines. pick: called with a file and a line. */
  constructor(tabs, root, trace, pick) {
    this.tabs = tabs;
    this.root = root;
    this.trace = trace;
    this.file = -1;
    this.marked = [];
    const used = new Set(trace.steps.map((step) => data.places[step[1]][0]));
    this.busy = new Map();  // by file: the lines with steps
    for (const step of trace.steps) {
      const [file, line] = data.places[step[1]];
      if (!this.busy.has(file)) this.busy.set(file, new Set());
      this.busy.get(file).add(line);
    }
    const files = data.files.map((_, file) => file).filter((file) => used.has(file) || data.files.length < 9);
    tabs.replaceChildren(...files.map((file) => {
      const tab = element("button", {
        type: "button", role: "tab", "aria-selected": "false", "aria-controls": "source", "data-file": file, title: data.files[file].name,
      }, files.length > 1 ? shortName(file) : data.files[file].name);
      tab.onclick = () => { this.open(file); this.mark(this.step); };
      return tab;
    }));
    root.onclick = (event) => {
      const line = event.target.closest(".busy");
      if (line && window.getSelection().isCollapsed) pick(this.file, Number(line.dataset.line));
    };
  }

  /** Show a file. */
  open(file) {
    if (this.file === file) return;
    this.file = file;
    for (const tab of this.tabs.children) tab.setAttribute("aria-selected", String(Number(tab.dataset.file) === file));
    const blocks = [], busy = this.busy.get(file) || new Set();
    this.lines = new Map();
    let comment = false, expected = 1;
    for (const [start, lines] of data.files[file].lines) {
      if (start > expected) blocks.push(element("div", {class: "left-out"}, "⋯"));
      for (let from = 0; from < lines.length; from += BLOCK) {
        const block = element("div", {class: "block"});
        const part = lines.slice(from, from + BLOCK);
        block.style.containIntrinsicSize = `auto ${part.length * 19}px`;
        part.forEach((said, i) => {
          const number = start + from + i;
          const code = element("code");
          comment = highlight(code, said, comment);
          const line = element(
            "div", {class: `line${busy.has(number) ? " busy" : ""}`, "data-line": number},
            element("span", {class: "marks"}), element("span", {class: "number"}, String(number)), code,
          );
          this.lines.set(number, line);
          block.append(line);
        });
        blocks.push(block);
      }
      expected = start + lines.length;
    }
    this.marked = [];
    this.root.replaceChildren(...blocks);
  }

  /** Show where the threads are at a step. */
  show(step) {
    this.step = step;
    this.open(this.trace.placeOf(step)[0]);
    this.mark(step);
  }

  /** Scroll to the line of the step. */
  reveal() {
    const lit = this.lines.get(this.trace.placeOf(this.step)[1]);
    if (!lit) return;
    const box = this.root.getBoundingClientRect(), here = lit.getBoundingClientRect();
    const margin = Math.min(60, box.height / 4);
    if (here.top < box.top + margin || here.bottom > box.bottom - margin) {
      this.root.scrollTop += here.top - box.top - (box.height - here.height) / 2;
    }
  }

  mark(step) {
    for (const line of this.marked) {
      line.classList.remove("lit", "other", ...Array.from({length: 8}, (_, t) => `t${t}`));
      line.removeAttribute("aria-current");
      line.firstChild.replaceChildren();
    }
    this.marked = [];
    const running = this.trace.thread(step);
    const order = [running, ...this.trace.threads.map((_, thread) => thread).filter((thread) => thread !== running)];
    for (const thread of order) {
      const at = thread === running ? step : this.trace.current(thread, step);
      if (at < 0 || this.trace.placeOf(at)[0] !== this.file) continue;
      const line = this.lines.get(this.trace.placeOf(at)[1]);
      if (!line) continue;
      if (thread === running) {
        line.classList.add("lit", `t${thread % 8}`);
        line.setAttribute("aria-current", "step");
      } else line.classList.add("other");
      const marks = line.firstChild;
      if (marks.childElementCount < 2) marks.append(badge(this.trace, thread));
      else if (marks.childElementCount === 2) marks.append(element("span", {class: "more", title: "and more"}, "+"));
      this.marked.push(line);
    }
  }
}

/** Put the text of a line into an element, with its tokens highlighted. comment, result: whether a comment is open. */
function highlight(code, said, comment) {
  let done = 0;
  const put = (name, end) => {
    if (end > done) code.append(name ? element("span", {class: name}, said.slice(done, end)) : said.slice(done, end));
    done = end;
  };
  const close = (from) => {
    const end = said.indexOf("*/", from);
    put("comment", end < 0 ? said.length : end + 2);
    return end < 0;
  };
  if (comment && close(0)) return true;
  TOKENS.lastIndex = done;
  for (let match = TOKENS.exec(said); match; match = TOKENS.exec(said)) {
    const word = match[0];
    if (word === "/*") {
      put("", match.index);
      if (close(match.index + 2)) return true;
      TOKENS.lastIndex = done;
      continue;
    }
    const name = word.startsWith("//") ? "comment" : /^["']/.test(word) ? "string" : /^\s*#/.test(word) ? "directive"
      : KEYWORDS.has(word) ? "keyword" : /^[0-9]/.test(word) ? "constant" : "";
    if (name) {
      put("", match.index);
      put(name, match.index + word.length);
    }
  }
  put("", said.length);
  return false;
}
