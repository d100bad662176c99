// The values of variables after a step: shared variables first, then the locals of the running thread.

const MOST_VARIABLES = 200;  // if there are more, those that were used last are shown

class Values {
  /** pick: called with the step that was clicked. */
  constructor(root, trace, pick) {
    this.root = root;
    root.replaceChildren(...["shared", "alone", "held"].map((name) => element("div", {class: name})));
    this.trace = trace;
    this.rows = new Map();  // by variable: its row, as `row` makes it
    this.tables = new Map();  // by caption: a table, and its rows
    const variables = trace.answer.variables;
    this.shared = [];
    this.locals = trace.threads.map(() => []);
    variables.forEach(([, , owner], variable) => (owner < 0 ? this.shared : this.locals[owner]).push(variable));
    const order = new Intl.Collator("en", {numeric: true});  // so that a[2] comes before a[10]
    this.shared.sort((one, other) => order.compare(text(variables[one][0]), text(variables[other][0])));
    this.twins = new Map();  // variables that share their name with others → their numbers among these
    for (const group of [this.shared, ...this.locals]) this.number(group);
    root.onclick = (event) => {
      const link = event.target.closest("button[data-step]");
      if (link) pick(Number(link.dataset.step));
    };
  }

  /** Number the variables with the same name. */
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
    tables.push(this.locals[thread].length ? this.table(`of ${name} alone`, this.locals[thread], step) : null);
    tables.push(this.locks(step));
    if (!tables.some(Boolean)) tables[0] = element("p", {class: "empty"}, "No values were seen.");
    // Tables that are already there stay in place: inserting a table again would lay out all of it.
    tables.forEach((table, i) => {
      if (this.root.children[i].firstChild !== (table || null)) this.root.children[i].replaceChildren(...(table ? [table] : []));
    });
  }

  /** Scroll to what the step accesses. */
  reveal() { this.root.querySelector("tr.written, tr.read")?.scrollIntoView({block: "nearest"}); }

  /** A table of the locks that are held after a step; null if there are none. */
  locks(step) {
    const held = this.trace.answer.bars.filter(([, start, end]) => start <= step && end > step);
    if (!held.length) return null;
    const made = this.empty("locks", ["lock", "held by", "since"]);
    made.body.append(...held.map(([thread, start, , name, reading]) => element(
      "tr", {class: start === step ? "taken" : null, role: "row"},
      element("th", {role: "rowheader"}, text(name), reading ? element("span", {class: "alias"}, " for reading") : ""),
      element("td", {role: "cell"}, badge(this.trace, thread), this.trace.threads[thread]),
      element("td", {role: "cell"}, this.link(start), start === step ? element("span", {class: "sign"}, "◆ now") : ""),
    )));
    return made.table;
  }

  /** A link to a step. */
  link(step) {
    return element("button", {type: "button", "data-step": step, title: "go there"}, `step ${step + 1}`);
  }

  /** A table of variables; null if no value is known yet. */
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
    // Rows are laid out as grids, since a table lays out all its rows together; so their roles are given.
    const names = columns.map((said) => element("th", {role: "columnheader"}, said));
    const head = element("thead", {role: "rowgroup"}, element("tr", {role: "row"}, ...names));
    const body = element("tbody", {role: "rowgroup"}), rest = element("p", {class: "empty"});
    const whole = element("table", {role: "table", "aria-label": caption}, element("caption", {}, caption), head, body);
    const table = element("div", {}, whole, rest);
    return {table, body, rest, rows: []};
  }

  /** The row of a variable. It is made once; after that, only what has changed is updated. */
  kept(variable, state) {
    const said = state ? `${state.value}/${state.written}/${state.kind}` : "";
    let row = this.rows.get(variable);
    if (row?.said === said) return row.row;
    if (!row) this.rows.set(variable, row = this.row(variable));
    row.said = said;
    const kind = state ? state.kind : -1, written = state ? state.written : -1;
    row.row.className = !state ? "unknown" : kind === WRITE ? "written" : kind === READ ? "read" : "";
    row.value.textContent = state ? state.value : "–";
    row.value.title = state ? "" : "not seen yet";
    row.initial.hidden = !state || written >= 0;
    row.badge.hidden = row.link.hidden = written < 0;
    if (written >= 0) {
      const thread = this.trace.thread(written);
      row.badge.className = `badge t${thread % 8}`;
      row.badge.title = this.trace.threads[thread];
      row.badge.textContent = this.trace.answer.numbers[thread];
      row.link.dataset.step = written;
      row.link.textContent = `step ${written + 1}`;
    }
    row.sign.textContent = kind === WRITE ? "◆ now" : kind === READ ? "read now" : "";
    return row.row;
  }

  /** An empty row: its element, and the parts that change. */
  row(variable) {
    const [name, more, , setter] = this.trace.answer.variables[variable];
    const twin = this.twins.get(variable);
    const aliases = more.map(text).join(", ");
    const shown = element("th", {role: "rowheader", title: setter ? `set in ${setter}` : null}, text(name));
    if (twin) shown.append(element("span", {class: "twin", title: "several objects have this name"}, ` #${twin}`));
    if (aliases) shown.append(element("span", {class: "alias"}, ` also ${aliases}`));
    const value = element("td", {role: "cell", class: "value"}), initial = element("span", {class: "initial"}, "initial");
    const sign = element("span", {class: "sign"}), link = this.link(0), mark = element("span");
    const row = element("tr", {role: "row"}, shown, value, element("td", {role: "cell", class: "who"}, mark, link, initial, sign));
    return {row, value, badge: mark, link, initial, sign, said: null};
  }
}
