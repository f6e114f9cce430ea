import {
  forceCollide,
  forceLink,
  forceManyBody,
  forceSimulation,
  forceX,
  forceY,
  type SimulationLinkDatum,
  type SimulationNodeDatum,
} from 'd3-force';
import { graphTicks } from '../limits.ts';
import type { Graph, GraphEdge, GraphNode } from '../shapes.ts';

export interface Placed extends SimulationNodeDatum {
  readonly node: GraphNode;
  x: number;
  y: number;
}

export interface Layout {
  readonly nodes: readonly Placed[];
  readonly byId: ReadonlyMap<number, Placed>;
  readonly box: { readonly x: number; readonly y: number; readonly width: number; readonly height: number };
}

export const radiusPx = 15;
/** From a node's middle to the lower end of its name. */
const namePx = 48;
/** Over a node's middle, with room for the edge's own name. */
const clearancePx = 34;
const columnPx = 190;
const columnsMax = 6;
const marginPx = { x: 96, top: 30, bottom: 58 };

/**
 * Places for the nodes: across by age, the newest on the right, up and down by force. All steps are done in one go, so that
 * nothing moves on the screen; d3-force's own randomness is seeded, so the same graph looks the same each time.
 */
export function layOut(graph: Graph): Layout {
  const order = [...graph.nodes].sort((a, b) => a.ts.localeCompare(b.ts) || a.id - b.id);
  const middle = (order.length - 1) / 2;
  const gap = columnPx * Math.min(1, (columnsMax - 1) / Math.max(1, order.length - 1));
  const nodes: Placed[] = order.map((node, at) => ({
    node,
    x: (at - middle) * gap,
    y: order.length < 3 ? 0 : (at % 2 === 0 ? -1 : 1) * (40 + (at % 5) * 8),
  }));
  const byId = new Map(nodes.map((placed) => [placed.node.id, placed]));
  const links = graph.edges.flatMap(({ from, to }): SimulationLinkDatum<Placed>[] => {
    const source = byId.get(from);
    const target = byId.get(to);
    return source === undefined || target === undefined ? [] : [{ source, target }];
  });
  forceSimulation(nodes)
    .force('link', forceLink(links).distance(columnPx).strength(0.08))
    .force('apart', forceManyBody().strength(-900))
    .force('room', forceCollide(56))
    .force('age', forceX<Placed>((_, at) => (at - middle) * gap).strength(0.9))
    .force('level', forceY(0).strength(0.12))
    .stop()
    .tick(graphTicks);
  const courses = graph.edges.flatMap((edge) => courseOf(edge, { nodes, byId })?.middle ?? []);
  return { nodes, byId, box: boxOf(nodes, courses) };
}

function boxOf(nodes: readonly Placed[], names: readonly Point[]): Layout['box'] {
  const xs = nodes.map(({ x }) => x);
  const ys = nodes.map(({ y }) => y);
  const x = Math.min(0, ...xs) - marginPx.x;
  const y = Math.min(0, ...ys, ...names.map((name) => name.y)) - marginPx.top;
  return {
    x,
    y,
    width: Math.max(0, ...xs) + marginPx.x - x,
    height: Math.max(0, ...ys) + marginPx.bottom - y,
  };
}

interface Point {
  readonly x: number;
  readonly y: number;
}

export interface Course {
  /** An SVG path from rim to rim. */
  readonly path: string;
  /** Where its name stands. */
  readonly middle: Point;
}

/** The way of an edge: straight to a neighbour, in a bow over what would stand in its way; names stand below nodes. */
export function courseOf(
  { from, to }: GraphEdge,
  { byId, nodes }: Pick<Layout, 'byId' | 'nodes'>,
): Course | null {
  const a = byId.get(from);
  const b = byId.get(to);
  if (a === undefined || b === undefined) return null;
  const rises = nodes.flatMap((one) =>
    one === a || one === b || !isNear(one, a, b) ? [] : [-off(one, a, b)],
  );
  // A quadratic curve comes half as high as its control point.
  const bow = rises.length === 0 ? 0 : 2 * (Math.max(...rises) + clearancePx);
  const control = { x: (a.x + b.x) / 2, y: (a.y + b.y) / 2 - bow };
  const start = rim(a, control, 2);
  const end = rim(b, control, 3);
  const middle = {
    x: (start.x + 2 * control.x + end.x) / 4,
    y: (start.y + 2 * control.y + end.y) / 4 - 5,
  };
  const at = ({ x, y }: Point): string => `${x.toFixed(1)} ${y.toFixed(1)}`;
  return { path: `M${at(start)}Q${at(control)} ${at(end)}`, middle };
}

function isNear(one: Point, a: Point, b: Point): boolean {
  const isBetween = one.x > Math.min(a.x, b.x) && one.x < Math.max(a.x, b.x);
  const below = off(one, a, b);
  return isBetween && below > -namePx && below < radiusPx * 2;
}

/** How far below the line from `a` to `b` a point lies; negative is above. */
function off(one: Point, a: Point, b: Point): number {
  const share = b.x === a.x ? 0 : (one.x - a.x) / (b.x - a.x);
  return one.y - (a.y + share * (b.y - a.y));
}

function rim(centre: Point, towards: Point, gap: number): Point {
  const length = Math.max(1, Math.hypot(towards.x - centre.x, towards.y - centre.y));
  const reach = (radiusPx + gap) / length;
  return { x: centre.x + (towards.x - centre.x) * reach, y: centre.y + (towards.y - centre.y) * reach };
}
