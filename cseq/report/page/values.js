// The values of variables behind a step: what threads share first, and then the locals of the running thread.

const MOST_VARIABLES = 200;  // more are not shown at once: then those that were used last are

class Values {
  /** pick: called with the step that was clicked. */
  constructor(root, trace, pick) {
    this.root = root;
    this.trace = trace;
    this.rows = new Map();  // by variable: its row, and what that says
    this.tables = new Map();  // by caption: a table, and its rows
    const variables = trace.answer.variables;
    this.shared = [];
    this.locals = trace.threads.map(() => []);
    variables.forEach(([, , owner], variable) => (owner < 0 ? this.shared : this.locals[owner]).push(variable));
    this.twins = new Map();  // variables whose name others have as well, and which of them each is
    for (const group of [this.shared, ...this.locals]) this.number(group);
    root.onclick = (event) => {
      const link = event.target.closest("button[data-step]");
      if (link) pick(Number(link.dataset.step));
    };
  }

  /** Number those of some variables that have the same name. */
  number(group) {
    const same = new Map();
    for (const variable of group) {
      const name = this.trace.answer.variables[variable][0];
      if (same.has(name)) same.get(name).push(variable);
      else same.set(name, [variable]);
    }
    for (const twins of same.values()) if (twins.length > 1) twins.forEach((variable, i) => this.twins.set(variable, i + 1));
  }

  show(step) {
    const thread = this.trace.thread(step), name = this.trace.threads[thread];
    const tables = [this.table("shared between threads", this.shared, step)];
    if (this.locals[thread].length) tables.push(this.table(`of ${name} alone`, this.locals[thread], step));
    tables.push(this.locks(step));
    const shown = tables.filter(Boolean);
    if (!shown.length) shown.push(element("p", {class: "empty"}, "No values were seen."));
    if (shown.length !== this.root.childElementCount || shown.some((one, i) => one !== this.root.children[i])) {
      this.root.replaceChildren(...shown);
    }
  }

  /** Have what the step touches seen. */
  reveal() { this.root.querySelector("tr.written, tr.read")?.scrollIntoView({block: "nearest"}); }

  /** A table of the locks that are held behind a step, or null where none is. */
  locks(step) {
    const held = this.trace.answer.bars.filter(([, start, end]) => start <= step && end > step);
    if (!held.length) return null;
    const made = this.empty("locks", ["lock", "held by", "since"]);
    made.body.append(...held.map(([thread, start, , name, reading]) => element(
      "tr", {class: start === step ? "taken" : null},
      element("th", {scope: "row"}, text(name), reading ? element("span", {class: "alias"}, " for reading") : ""),
      element("td", {}, badge(this.trace, thread), this.trace.threads[thread]),
      element("td", {}, this.link(start), start === step ? element("span", {class: "sign"}, "◆ now") : ""),
    )));
    return made.table;
  }

  /** What leads to a step. */
  link(step) {
    return element("button", {type: "button", "data-step": step, title: "go there"}, `step ${step + 1}`);
  }

  /** A table of variables, or null where none is known yet. */
  table(caption, variables, step) {
    let known = variables.map((variable) => [variable, this.trace.value(variable, step)]);
    if (this.trace.answer.variables[variables[0]]?.[2] >= 0) known = known.filter(([, state]) => state);
    let rest = 0;
    if (known.length > MOST_VARIABLES) {
      rest = known.length - MOST_VARIABLES;
      const last = ([, state]) => (state ? state.touched : -2);
      const least = known.map(last).sort((a, b) => b - a)[MOST_VARIABLES - 1];
      known = known.filter((one) => last(one) >= least).slice(0, MOST_VARIABLES);
    }
    if (!known.length) return null;
    if (!this.tables.has(caption)) this.tables.set(caption, this.empty(caption, ["variable", "value", "written by"]));
    const made = this.tables.get(caption);
    const rows = known.map(([variable, state]) => this.kept(variable, state));
    if (rows.length !== made.rows.length || rows.some((row, i) => row !== made.rows[i])) made.body.replaceChildren(...rows);
    made.rows = rows;
    made.rest.textContent = rest ? `and ${rest} more, which were not used lately` : "";
    return made.table;
  }

  /** A table without rows. */
  empty(caption, columns) {
    const names = columns.map((said) => element("th", {scope: "col"}, said));
    const head = element("thead", {}, element("tr", {}, ...names)), body = element("tbody"), rest = element("p", {class: "empty"});
    const table = element("div", {}, element("table", {}, element("caption", {}, caption), head, body), rest);
    return {table, body, rest, rows: []};
  }

  /** The row of a variable: the one that is there, where it says the same. */
  kept(variable, state) {
    const said = state && `${state.value}/${state.written}/${state.kind}`;
    const known = this.rows.get(variable);
    if (known && known.said === said) return known.row;
    const row = this.row(variable, state);
    this.rows.set(variable, {row, said});
    return row;
  }

  row(variable, state) {
    const [name, more, , owner] = this.trace.answer.variables[variable];
    const twin = this.twins.get(variable);
    const aliases = more.map(text).join(", ");
    const shown = element("th", {scope: "row"}, text(name));
    if (twin) shown.append(element("span", {class: "twin", title: "several objects have this name"}, ` #${twin}`));
    if (aliases) shown.append(element("span", {class: "alias"}, ` also ${aliases}`));
    if (owner) shown.title = `set in ${owner}`;
    if (!state) return element("tr", {class: "unknown"}, shown, element("td", {title: "not seen yet"}, "–"), element("td"));
    const sign = state.kind === WRITE ? "◆ now" : state.kind === READ ? "read now" : "";
    const who = element("td", {class: "who"});
    if (state.written >= 0) {
      who.append(badge(this.trace, this.trace.thread(state.written)), this.link(state.written));
    } else who.append(element("span", {class: "initial"}, "initial"));
    if (sign) who.append(element("span", {class: "sign"}, sign));
    return element(
      "tr", {class: state.kind === WRITE ? "written" : state.kind === READ ? "read" : null},
      shown, element("td", {class: "value"}, state.value), who,
    );
  }
}
