// The graph on the screen: only what is in sight is drawn, so that large ones stay quick.
const svg = document.getElementById("graph"), view = document.getElementById("view");
const SVG = "http://www.w3.org/2000/svg", FEW = 300, READABLE = 0.35, SMALLEST = 0.02, FIRST = 0.6;
const PALETTE = ["#8ecae6", "#ffd6a5", "#b7e4c7", "#e0aaff", "#ffadad", "#fdffb6", "#a0c4ff", "#d0d0c8"];
const TYPES = { INT8: "#ffc078", HALF: "#a5d8ff", FLOAT: "#b2f2bb", UINT8: "#ffe066" };
const state = { stage: 0, selected: -1, colour: "type", hits: [], hit: -1, x: 0, y: 0, scale: 1, queued: false };

function element(kind, attributes, parent) {
  const made = document.createElementNS(SVG, kind);
  for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, value);
  parent?.append(made);
  return made;
}

function typeOf(node) { return node.reads?.[0] ?? node.out[0]?.[1] ?? ""; }

function colourOf(node) {
  if (node.end) return "transparent";
  if (state.colour === "type") return TYPES[typeOf(node)] ?? "#d0d0c8";
  if (state.colour === "kind") {
    let sum = 0;
    for (const letter of node.kind) sum = (sum * 31 + letter.charCodeAt(0)) % 997;
    return PALETTE[sum % PALETTE.length];
  }
  if (node.us === undefined) return "#d0d0c8";
  const part = Math.sqrt(node.us / slowest());
  return `hsl(${60 - 55 * part} 90% ${88 - 25 * part}%)`;
}

let longest = 0;
function slowest() {
  longest ||= Math.max(...DATA.nodes.map(node => node.us ?? 0), 1e-9);
  return longest;
}

/** Ask for the graph to be drawn again, once, before the next picture. */
function redraw() {
  if (state.queued) return;
  state.queued = true;
  requestAnimationFrame(() => { state.queued = false; draw(); });
}

function inSight(x, y, margin) {
  const left = -state.x / state.scale, top = -state.y / state.scale, box = svg.getBoundingClientRect();
  return x > left - margin && x < left + box.width / state.scale + margin
    && y > top - margin && y < top + box.height / state.scale + margin;
}

function draw() {
  const graph = layoutOf(state.stage), all = graph.nodes.length <= FEW, texts = all || state.scale > READABLE;
  view.setAttribute("transform", `translate(${state.x} ${state.y}) scale(${state.scale})`);
  view.replaceChildren();
  graph.edges.forEach(([a, b], index) => {
    const path = graph.paths[index], ends = [path[0], path.at(-1)];
    if (!all && !ends.some(end => inSight(end.x, end.y, 200))) return;
    const near = state.selected >= 0 && [a, b].some(end => graph.nodes[end].number === state.selected);
    const d = path.map((point, place) => `${place ? "L" : "M"}${point.x.toFixed(1)} ${point.y.toFixed(1)}`).join("");
    element("path", { class: near ? "edge near" : "edge", d }, view);
  });
  for (const each of graph.nodes) if (all || inSight(each.x, each.y, WIDTH)) drawNode(each, texts);
}

function drawNode(each, texts) {
  const { node, number } = each, classes = ["node"];
  if (node.end) classes.push("end");
  if (stages[state.stage].changed.has(number)) classes.push("changed");
  if (state.hits.includes(number)) classes.push("hit");
  if (number >= 0 && number === state.selected) classes.push("selected");
  const place = `translate(${each.x - WIDTH / 2} ${each.y - HEIGHT / 2})`;
  const group = element("g", { class: classes.join(" "), transform: place, "data-node": number }, view);
  element("rect", { width: WIDTH, height: HEIGHT, fill: colourOf(node), style: `fill: ${colourOf(node)}` }, group);
  element("title", {}, group).textContent = node.name;
  if (!texts) return;
  element("text", { x: 8, y: 18 }, group).textContent = shortened(node.name, 25);
  const out = node.out[0], shape = out ? ` ${out[1]} ${out[2].join("x")}` : "";
  const time = node.us === undefined ? "" : `  ${node.us.toFixed(1)} us`;
  element("text", { x: 8, y: 35, class: "sub" }, group).textContent = shortened(node.kind + shape + time, 31);
}

function shortened(text, most) { return text.length <= most ? text : `${text.slice(0, most - 9)}…${text.slice(-8)}`; }

/** Show the whole graph; at first, where that is too small to read, its beginning. */
function fit(readable = false) {
  const nodes = layoutOf(state.stage).nodes, box = svg.getBoundingClientRect();
  const xs = nodes.map(each => each.x), ys = nodes.map(each => each.y);
  const left = low(xs) - WIDTH, right = -low(xs.map(x => -x)) + WIDTH, top = low(ys) - HEIGHT, end = -low(ys.map(y => -y)) + HEIGHT;
  const whole = Math.min(box.width / (right - left), box.height / (end - top)), first = nodes[0];
  state.scale = Math.min(1.2, Math.max(readable ? FIRST : SMALLEST, whole));
  const high = (end - top) * state.scale <= box.height, wide = (right - left) * state.scale <= box.width;
  state.x = box.width / 2 - (wide ? (left + right) / 2 : first.x) * state.scale;
  state.y = high ? (box.height - (top + end) * state.scale) / 2 : -top * state.scale;
  redraw();
}

function low(numbers) { return numbers.reduce((a, b) => Math.min(a, b), Infinity); }

function zoom(factor, x, y) {
  const box = svg.getBoundingClientRect(), cx = x ?? box.width / 2, cy = y ?? box.height / 2;
  const scale = Math.min(4, Math.max(SMALLEST, state.scale * factor)), by = scale / state.scale;
  state.x = cx - (cx - state.x) * by;
  state.y = cy - (cy - state.y) * by;
  state.scale = scale;
  redraw();
}

/** Bring a node to the middle, large enough to read. */
function centre(number) {
  const each = layoutOf(state.stage).nodes.find(one => one.number === number), box = svg.getBoundingClientRect();
  if (!each) return;
  state.scale = Math.max(state.scale, 0.8);
  state.x = box.width / 2 - each.x * state.scale;
  state.y = box.height / 2 - each.y * state.scale;
  redraw();
}
