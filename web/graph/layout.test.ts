import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Graph } from '../shapes.ts';
import { courseOf, layOut, radiusPx } from './layout.ts';

function graphOf(size: number, pairs: readonly (readonly [number, number])[]): Graph {
  return {
    nodes: Array.from({ length: size }, (_, at) => ({
      id: at + 1,
      kind: 'call',
      eventId: `ev_${at}`,
      toolUseId: null,
      model: 'builtin',
      text: `memory ${at + 1}`,
      ts: new Date(at * 1000).toISOString(),
      tool: 'Read',
      sessionId: '',
      pinned: false,
      superseded: false,
    })),
    edges: pairs.map(([from, to]) => ({ from, to, kind: 'supersedes', evidence: null, ts: '' })),
  };
}

describe('the layout of a neighbourhood', () => {
  it('puts the newer to the right, and all of it into its box', () => {
    const { nodes, box } = layOut(
      graphOf(4, [
        [4, 1],
        [3, 2],
        [4, 3],
      ]),
    );
    const xs = nodes.map(({ x }) => x);
    expect(xs).toEqual([...xs].sort((a, b) => a - b));
    for (const { x, y } of nodes) {
      expect(x - radiusPx).toBeGreaterThan(box.x);
      expect(x + radiusPx).toBeLessThan(box.x + box.width);
      expect(y - radiusPx).toBeGreaterThan(box.y);
      expect(y + radiusPx).toBeLessThan(box.y + box.height);
    }
  });

  it('is the same each time', () => {
    const graph = graphOf(6, [
      [6, 1],
      [5, 1],
      [4, 2],
    ]);
    expect(layOut(graph).nodes.map(({ x, y }) => [x, y])).toEqual(
      layOut(graph).nodes.map(({ x, y }) => [x, y]),
    );
  });

  it('keeps any graph finite and its nodes apart', () => {
    const pair = fc.tuple(fc.integer({ min: 1, max: 14 }), fc.integer({ min: 1, max: 14 }));
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 12 }), fc.array(pair, { maxLength: 20 }), (size, pairs) => {
        const graph = graphOf(size, pairs);
        const layout = layOut(graph);
        for (const [at, one] of layout.nodes.entries()) {
          expect(Number.isFinite(one.x + one.y)).toBe(true);
          for (const other of layout.nodes.slice(at + 1)) {
            expect(Math.hypot(one.x - other.x, one.y - other.y)).toBeGreaterThan(radiusPx * 2);
          }
        }
        for (const edge of graph.edges) {
          const course = courseOf(edge, layout);
          const isInside = edge.from <= size && edge.to <= size;
          expect(course === null).toBe(!isInside);
          if (course !== null) expect(course.path).not.toMatch(/NaN/);
        }
      }),
      { numRuns: 20 },
    );
  });
});
