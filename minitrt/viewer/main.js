// Keys, mouse and the beginning.
const COLOURS = { type: "type", kind: "kind", time: "time" };
const KEYS = [["← →", "a pass back, a pass on"], ["↑ ↓", "the node before, the node after"], ["/", "find; Enter: the next one"],
  ["c", "colours"], ["t", "light or dark"], ["+ - f", "larger, smaller, fit"], ["Esc", "choose nothing"], ["?", "these keys"]];
const find = document.getElementById("find"), colour = document.getElementById("colour");

function turnTheme() {
  const dark = getComputedStyle(document.documentElement).colorScheme === "dark"
    || !document.documentElement.className && matchMedia("(prefers-color-scheme: dark)").matches;
  document.documentElement.className = dark ? "light" : "dark";
}

function step(by) {
  const nodes = stages[state.stage].nodes, at = nodes.indexOf(state.selected);
  choose(nodes[Math.min(nodes.length - 1, Math.max(0, at + by))], true);
}

function setColour(name) {
  colour.value = state.colour = name;
  redraw();
}

function showKeys() { document.getElementById("keys").showModal(); }

const ACTIONS = {
  ArrowLeft: () => goTo(state.stage - 1), ArrowRight: () => goTo(state.stage + 1), ArrowUp: () => step(-1), ArrowDown: () => step(1),
  "/": () => { find.focus(); find.select(); }, t: turnTheme, f: () => fit(), "+": () => zoom(1.25), "-": () => zoom(0.8), "?": showKeys,
  c: () => { const names = Object.keys(COLOURS); setColour(names[(names.indexOf(state.colour) + 1) % names.length]); },
  Escape: () => choose(-1),
};

document.addEventListener("keydown", event => {
  if (event.target === find) {
    if (event.key === "Enter") nextHit(event.shiftKey ? -1 : 1);
    if (event.key === "Escape") { find.value = ""; search(false); svg.focus(); }
    return;
  }
  if (event.ctrlKey || event.metaKey || event.altKey || !(event.key in ACTIONS) || event.target === colour) return;
  event.preventDefault();
  ACTIONS[event.key]();
});
find.addEventListener("input", () => search(true));
colour.addEventListener("change", () => setColour(colour.value));
document.getElementById("fit").addEventListener("click", () => fit());
document.getElementById("theme").addEventListener("click", turnTheme);
document.getElementById("help").addEventListener("click", showKeys);
svg.addEventListener("wheel", event => {
  event.preventDefault();
  const box = svg.getBoundingClientRect();
  zoom(Math.exp(-event.deltaY / 500), event.clientX - box.left, event.clientY - box.top);
}, { passive: false });

let held = null;
svg.addEventListener("pointerdown", event => { held = { x: event.clientX, y: event.clientY, moved: false, at: event.target }; });
addEventListener("pointermove", event => {
  if (!held) return;
  held.moved ||= Math.hypot(event.clientX - held.x, event.clientY - held.y) > 3;
  if (!held.moved) return;
  state.x += event.movementX;
  state.y += event.movementY;
  redraw();
});
addEventListener("pointerup", () => {
  if (held && !held.moved) choose(Number(held.at.closest(".node")?.dataset.node ?? -1));
  held = null;
});
addEventListener("resize", redraw);

document.title = DATA.title;
document.querySelector("h1").textContent = DATA.title;
document.getElementById("device").textContent = DATA.device;
for (const [value, text] of Object.entries(COLOURS)) html("option", text, colour, { value });
for (const [keys, text] of KEYS) { html("dt", keys, document.querySelector("#keys dl")); html("dd", text, document.querySelector("#keys dl")); }
showStages();
showLayers();
goTo(stages.length - 1);
