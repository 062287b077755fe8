/** Layered layout by dagre: a graph as JSON text in, places as JSON text out. */
import { Graph, layout } from "@dagrejs/dagre";

const MARGIN = { x: 24, y: 72 };

/**
 * Place the nodes of `{rankdir, nodesep, ranksep, nodes: [{id, width, height}], edges: [{from, to,
 * width?, height?}]}`. The answer is `{nodes: {id: [x, y]}, edges: [[[x, y], …], …]}`: middles of the
 * nodes, and for every edge the way points between its ends.
 * @param {string} text
 */
export function solve(text) {
  const question = JSON.parse(text);
  const graph = new Graph({ multigraph: true });
  graph.setGraph({
    rankdir: question.rankdir,
    nodesep: question.nodesep,
    ranksep: question.ranksep,
    edgesep: 24,
    marginx: MARGIN.x,
    marginy: MARGIN.y,
  });
  for (const { id, width, height } of question.nodes) graph.setNode(id, { width, height });
  question.edges.forEach((/** @type {any} */ edge, /** @type {number} */ i) => {
    const label = { width: edge.width ?? 0, height: edge.height ?? 0, labelpos: "c" };
    graph.setEdge(edge.from, edge.to, label, String(i));
  });
  layout(graph);
  /** @type {Record<string, number[]>} */
  const nodes = {};
  for (const id of graph.nodes()) nodes[id] = round(graph.node(id));
  /** @type {number[][][]} */
  const edges = question.edges.map((/** @type {any} */ edge, /** @type {number} */ i) =>
    graph.edge(edge.from, edge.to, String(i)).points.slice(1, -1).map(round),
  );
  return JSON.stringify({ nodes, edges });
}

/** @param {{x: number, y: number}} point */
function round({ x, y }) {
  return [Math.round(x * 10) / 10, Math.round(y * 10) / 10];
}
