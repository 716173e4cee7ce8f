// Stages as graphs: nodes with what they read, edges, and where each lies.
"use strict";
const WIDTH = 190, HEIGHT = 44, GAP = 26, MOST_FOR_DAGRE = 900, MOST_FOR_SIMPLEX = 400;
const layouts = new Map();

/** What makes a node the same one in two stages: what it is called and does, and on which types. */
function signature(node) {
  return JSON.stringify([node.name, node.kind, node.in, node.reads, node.out.map(out => out.slice(0, 2)), node.weights.map(w => w[1])]);
}

const signatures = DATA.nodes.map(signature);
const stages = DATA.stages.map((stage, place) => {
  const before = place ? DATA.stages[place - 1] : null, own = new Set(stage.nodes.map(n => signatures[n]));
  const old = new Set(before ? before.nodes.map(n => signatures[n]) : []);
  return {
    name: stage.name, nodes: stage.nodes,
    changed: new Set(before ? stage.nodes.filter(n => !old.has(signatures[n])) : []),
    gone: before ? before.nodes.filter(n => !own.has(signatures[n])) : [],
  };
});

/** The nodes of a stage with the network's ends, and [from, to] of each edge, as places in that list. */
function graphOf(place) {
  const nodes = stages[place].nodes.map(number => ({ number, node: DATA.nodes[number] })), makers = new Map(), edges = [];
  for (const name of DATA.inputs) {
    makers.set(name, nodes.length);
    nodes.push({ number: -1, node: { name, kind: "input", in: [], out: [], end: true } });
  }
  nodes.forEach((each, index) => { if (!each.node.end) each.node.out.forEach(out => makers.set(out[0], index)); });
  nodes.forEach((each, to) => new Set(each.node.in).forEach(name => {
    if (makers.has(name)) edges.push([makers.get(name), to]);
  }));
  for (const name of DATA.outputs.filter(name => makers.has(name))) {
    edges.push([makers.get(name), nodes.length]);
    nodes.push({ number: -1, node: { name, kind: "output", in: [name], out: [], end: true } });
  }
  return { nodes, edges };
}

/** A stage's graph with x, y of each node (its middle) and points of each edge; made once. */
function layoutOf(place) {
  if (!layouts.has(place)) {
    const graph = graphOf(place);
    layouts.set(place, graph.nodes.length > MOST_FOR_DAGRE ? inRows(graph) : byDagre(graph));
  }
  return layouts.get(place);
}

function byDagre(graph) {
  const made = new dagre.graphlib.Graph({ multigraph: true });
  made.setGraph({ nodesep: GAP, ranksep: 34, ranker: graph.nodes.length > MOST_FOR_SIMPLEX ? "longest-path" : "network-simplex" });
  made.setDefaultEdgeLabel(() => ({}));
  graph.nodes.forEach((_, index) => made.setNode(String(index), { width: WIDTH, height: HEIGHT }));
  graph.edges.forEach(([a, b], index) => made.setEdge(String(a), String(b), {}, String(index)));
  dagre.layout(made);
  graph.nodes.forEach((each, index) => { ({ x: each.x, y: each.y } = made.node(String(index))); });
  graph.paths = graph.edges.map(([a, b], index) => made.edge(String(a), String(b), String(index)).points);
  return graph;
}

/** Rows by the longest way from an input, each row in the order of what it reads: for graphs that dagre takes long for. */
function inRows(graph) {
  const rank = graph.nodes.map(() => 0), readers = graph.nodes.map(() => []), waiting = graph.nodes.map(() => 0);
  graph.edges.forEach(([a, b]) => { readers[a].push(b); waiting[b] += 1; });
  const ready = graph.nodes.map((_, index) => index).filter(index => !waiting[index]), order = [];
  while (ready.length) {
    const index = ready.pop();
    order.push(index);
    for (const reader of readers[index]) {
      rank[reader] = Math.max(rank[reader], rank[index] + 1);
      if (!--waiting[reader]) ready.push(reader);
    }
  }
  const middle = graph.nodes.map(() => []), rows = [];
  order.sort((a, b) => rank[a] - rank[b]);
  order.forEach(index => (rows[rank[index]] ||= []).push(index));
  for (const row of rows) {
    const mean = index => middle[index].reduce((a, b) => a + b, 0) / (middle[index].length || 1);
    row.sort((a, b) => mean(a) - mean(b)).forEach((index, place) => {
      graph.nodes[index].x = (place - (row.length - 1) / 2) * (WIDTH + GAP);
      graph.nodes[index].y = rank[index] * (HEIGHT + 34);
      readers[index].forEach(reader => middle[reader].push(graph.nodes[index].x));
    });
  }
  graph.paths = graph.edges.map(([a, b]) => [
    { x: graph.nodes[a].x, y: graph.nodes[a].y + HEIGHT / 2 }, { x: graph.nodes[b].x, y: graph.nodes[b].y - HEIGHT / 2 }]);
  return graph;
}
