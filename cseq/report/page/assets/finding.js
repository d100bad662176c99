// The result of the execution: the words for the violation, and the threads of a deadlock or race.

/** Fill an element with the result of the execution. pick: called with the step that was clicked. */
function fillFinding(root, trace, pick) {
  const answer = trace.answer;
  const card = element("section", {class: `finding${answer.violated ? " bad" : ""}`, id: "finding", "aria-label": "What it comes to"});
  const sign = element("span", {class: "mark", "aria-hidden": "true"}, answer.violated ? "✗" : "•");
  const heading = answer.stuck.length ? "deadlock" : answer.racing.length ? "data race" : "";
  card.append(element("p", {class: "sentence"}, sign, heading || answer.message));
  if (answer.explained) card.append(element("p", {}, ...withCode(answer.explained)));
  const go = (thread) => {
    const link = element("button", {type: "button", class: "thread"}, badge(trace, thread), trace.threads[thread]);
    link.onclick = () => pick(trace.ofThread[thread].at(-1) ?? 0);
    return link;
  };
  const at = (place) => {
    const [file, line] = data.places[place];
    return data.files.length > 1 ? `${shortName(file)}:${line}` : `line ${line}`;
  };
  const hold = (one) => `${one.name}${one.reading ? " for reading" : ""} since ${at(one.since)}`;
  const holds = (held) => held.map(hold).join(", ") || "no lock";
  if (answer.stuck.length) {
    const rows = answer.stuck.map((one) => [go(one.thread), at(one.place), one.waits, holds(one.holds)]);
    const picture = waiting(trace);
    if (picture) card.append(picture);
    card.append(rowsOf(["thread", "is at", "waits", "holds"], rows));
  }
  if (answer.racing.length) {
    const rows = answer.racing.map((one) => {
      const via = one.function ? ` in ${one.function}` : "";
      const name = one.name ? ` ${one.name}` : "";
      return [go(one.thread), at(one.place), `${one.action}${name}${one.how ? ` ${one.how}` : ""}${via}`, holds(one.holds)];
    });
    card.append(rowsOf(["thread", "is at", "is about to access", "holds"], rows));
  }
  if (answer.cycle !== null) {
    const said = answer.cycle === trace.count ? "From here on, nothing happens any more."
      : `Steps ${answer.cycle + 1} to ${trace.count} are repeated for ever.`;
    card.append(element("p", {}, said));
  }
  if (heading) card.append(element("p", {class: "words"}, answer.message));
  root.replaceChildren(card);
}

/** The nodes for a text whose parts between backticks are code. */
function withCode(said) {
  return said.split("`").map((part, i) => (i % 2 ? element("code", {}, part) : part));
}

function rowsOf(names, rows) {
  const head = element("tr", {}, ...names.map((name) => element("th", {scope: "col"}, name)));
  const body = rows.map((cells) => element("tr", {}, ...cells.map((cell) => element("td", {}, cell))));
  return element("div", {class: "scroll"}, element("table", {}, element("thead", {}, head), element("tbody", {}, ...body)));
}

/** A picture of who waits for whom; null if nobody waits, or too many threads do. */
function waiting(trace) {
  const stuck = trace.answer.stuck, edges = stuck.flatMap((one) => one.who.map((other) => [one.thread, other, one.circle]));
  const nodes = [...new Set([...stuck.map((one) => one.thread), ...edges.map((edge) => edge[1])])];
  if (!edges.length || nodes.length > 12) return null;
  const width = 520, height = nodes.length < 4 ? 150 : 230, middle = [width / 2, height / 2];
  const place = new Map(nodes.map((thread, i) => {
    const angle = nodes.length < 4 ? Math.PI + (2 * Math.PI * i) / nodes.length : -Math.PI / 2 + (2 * Math.PI * i) / nodes.length;
    return [thread, [middle[0] + Math.cos(angle) * (width / 2 - 95), middle[1] + Math.sin(angle) * (height / 2 - 26)]];
  }));
  const said = edges.map(([from, to]) => `${trace.threads[from]} waits for ${trace.threads[to]}`).join("; ");
  const picture = drawn("svg", {class: "waiting", viewBox: `0 0 ${width} ${height}`, role: "img", "aria-label": said});
  for (const [from, to, circle] of edges) {
    const [x1, y1] = place.get(from), [x2, y2] = place.get(to);
    const long = Math.hypot(x2 - x1, y2 - y1) || 1, ux = (x2 - x1) / long, uy = (y2 - y1) / long;
    const name = `wait${circle ? " circle" : ""}`;
    if (from === to) {
      picture.append(drawn("path", {class: name, d: `M${x1 - 20},${y1 - 14} c-20,-40 60,-40 40,0`}));
      picture.append(drawn("path", {class: `${name} tip`, d: `M${x1 + 16},${y1 - 22} l4,9 l5,-8 Z`}));
      continue;
    }
    // Where the line meets the frames of the two names, which are wider than high. A bend separates the lines of a pair.
    const cut = Math.min(78 / Math.max(Math.abs(ux), 0.01), 18 / Math.max(Math.abs(uy), 0.01));
    const bend = 22, cx = (x1 + x2) / 2 - uy * bend, cy = (y1 + y2) / 2 + ux * bend;
    const from2 = [x1 + ux * cut, y1 + uy * cut], to2 = [x2 - ux * (cut + 6), y2 - uy * (cut + 6)];
    const dx = to2[0] - cx, dy = to2[1] - cy, l = Math.hypot(dx, dy) || 1, vx = dx / l, vy = dy / l;
    picture.append(drawn("path", {class: name, d: `M${from2} Q${cx},${cy} ${to2}`}));
    const beside = (side) => [to2[0] - vx * 3 - side * vy * 4.5, to2[1] - vy * 3 + side * vx * 4.5];
    const point = [to2[0] + vx * 6, to2[1] + vy * 6];
    picture.append(drawn("path", {class: `${name} tip`, d: `M${point} L${beside(1)} L${beside(-1)} Z`}));
  }
  for (const [thread, [x, y]] of place) {
    picture.append(drawn("rect", {class: `box t${thread % 8}`, x: x - 76, y: y - 16, width: 152, height: 32, rx: 6}));
    const label = drawn("text", {x, y: y + 4}, trace.threads[thread]), name = trace.answer.functions[thread];
    label.prepend(`${trace.answer.numbers[thread]}  ${name.length > 17 ? `${name.slice(0, 16)}…` : name}`);
    picture.append(label);
  }
  return picture;
}
