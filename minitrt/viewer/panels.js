// What lies beside the graph: stages, layers by time, the chosen node, what a pass took away, and the search.
function html(kind, text, parent, attributes = {}) {
  const made = document.createElement(kind);
  if (text !== "") made.textContent = text;
  for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, value);
  parent?.append(made);
  return made;
}

function showStages() {
  const list = document.getElementById("stages");
  stages.forEach((stage, place) => {
    const item = html("li", "", list), button = html("button", "", item, { type: "button" });
    html("b", stage.name, button).style.fontWeight = "inherit";
    const moved = place ? `-${stage.gone.length} +${stage.changed.size}` : "";
    html("span", `${moved}  ${stage.nodes.length}`, button, { title: "gone, new; operations" });
    button.addEventListener("click", () => goTo(place));
  });
}

function showLayers() {
  const last = stages.at(-1).nodes.map(number => ({ number, node: DATA.nodes[number] }));
  const timed = last.some(each => each.node.us !== undefined), table = document.getElementById("layers");
  const key = each => (timed ? each.node.us : each.node.bytes) ?? 0;
  for (const each of last.sort((a, b) => key(b) - key(a))) {
    const row = html("tr", "", table, { "data-node": each.number, title: each.node.name });
    html("td", each.node.name, row);
    html("td", timed ? `${key(each).toFixed(1)} us` : bytes(key(each)), row);
    row.addEventListener("click", () => { goTo(stages.length - 1); choose(each.number, true); });
  }
}

function bytes(count) {
  return count >= 1e6 ? `${(count / 1e6).toFixed(2)} MB` : count >= 1e3 ? `${(count / 1e3).toFixed(1)} kB` : `${count} B`;
}

function tensorText([name, type, shape]) { return `${name}: ${type} (${shape.join(", ")})`; }

function showDetails() {
  const place = document.getElementById("details"), node = DATA.nodes[state.selected];
  place.replaceChildren();
  document.querySelectorAll("#layers tr").forEach(row => {
    row.classList.toggle("selected", Number(row.dataset.node) === state.selected);
  });
  if (!node) return void html("p", "Choose a node: click, or the arrow keys.", place);
  html("h3", node.name, place);
  const list = html("dl", "", place), rows = [["kind", node.kind], ["tactic", node.tactic], ["time", time(node)],
    ["roofline", node.share && `${(100 * node.share).toFixed(0)} % of what the GPU allows`],
    ["bytes", node.bytes && bytes(node.bytes)], ["operations", node.operations?.toLocaleString("en")],
    ["reads", node.in.map((name, index) => `${name}: ${node.reads[index]}`).join("\n")],
    ["writes", node.out.map(tensorText).join("\n")], ["weights", node.weights.map(tensorText).join("\n")],
    ["attributes", node.attrs.join("\n")], ["made of", node.origin.join("\n")], ["why not", whyNot(node).join("\n")]];
  for (const [title, text] of rows.filter(row => row[1])) {
    html("dt", title, list);
    html("dd", text, list).style.whiteSpace = "pre-line";
  }
}

function time(node) {
  if (node.us === undefined) return "";
  const all = stages.at(-1).nodes.reduce((sum, number) => sum + (DATA.nodes[number].us ?? 0), 0);
  return `${node.us.toFixed(2)} us, ${(100 * node.us / all).toFixed(1)} %`;
}

function whyNot(node) {
  return DATA.whyNot.filter(text => text.startsWith(node.name) || text.includes(` + ${node.name}:`));
}

function showGone() {
  const list = document.getElementById("gone"), gone = stages[state.stage].gone;
  list.replaceChildren();
  list.previousElementSibling.hidden = !gone.length;
  gone.forEach(number => html("li", `${DATA.nodes[number].name} (${DATA.nodes[number].kind})`, list));
}

function choose(number, centred = false) {
  state.selected = number;
  showDetails();
  if (centred) centre(number); else redraw();
}

function goTo(place) {
  if (place < 0 || place >= stages.length) return;
  const chosen = signatures[state.selected], name = DATA.nodes[state.selected]?.name;
  state.stage = place;
  const among = stages[place].nodes, named = n => DATA.nodes[n].name === name || DATA.nodes[n].origin.includes(name);
  state.selected = among.find(n => signatures[n] === chosen) ?? among.find(named) ?? -1;
  document.querySelectorAll("#stages li").forEach((item, index) => item.classList.toggle("current", index === place));
  document.querySelector("#stages .current").scrollIntoView({ block: "nearest" });
  search(false);
  showDetails();
  showGone();
  if (state.selected >= 0) centre(state.selected); else fit(true);
}

function search(go) {
  const wanted = document.getElementById("find").value.trim().toLowerCase(), said = document.getElementById("hits");
  const fits = number => {
    const { name, kind, tactic, origin } = DATA.nodes[number];
    return [name, kind, tactic ?? "", ...origin].some(text => text.toLowerCase().includes(wanted));
  };
  state.hits = wanted ? stages[state.stage].nodes.filter(fits) : [];
  state.hit = -1;
  said.textContent = wanted ? `${state.hits.length} found` : "";
  if (go && state.hits.length) nextHit(1); else redraw();
}

function nextHit(step) {
  if (!state.hits.length) return;
  state.hit = (state.hit + step + state.hits.length) % state.hits.length;
  choose(state.hits[state.hit], true);
}
