import { useMemo } from 'preact/hooks';
import { graphLabelChars } from '../limits.ts';
import type { Graph, GraphEdge } from '../shapes.ts';
import { oneLine } from '../text/cut.ts';
import { visibleText } from '../text/visible.ts';
import { courseOf, type Layout, layOut, type Placed, radiusPx as radius } from './layout.ts';

/** The neighbourhood as a drawing; each node can be gone to by press or by Tab and Enter. */
export function Picture({
  graph,
  centre,
  walkTo,
}: {
  graph: Graph;
  centre: number;
  walkTo: (id: number) => void;
}) {
  const layout = useMemo(() => layOut(graph), [graph]);
  const { nodes, box } = layout;
  return (
    <div class="graph">
      <svg
        style={{ maxWidth: `${Math.round(box.width * 1.1)}px` }}
        viewBox={`${box.x} ${box.y} ${box.width} ${box.height}`}
        role="group"
        aria-label="Provenance, older on the left. The same as a list below"
      >
        <defs>
          {['supersedes', 'contradicts'].map((kind) => (
            <marker
              key={kind}
              id={`head-${kind}`}
              class={`head ${kind}`}
              viewBox="0 0 8 8"
              refX="7"
              refY="4"
              markerWidth="7"
              markerHeight="7"
              orient="auto-start-reverse"
            >
              <path d="M0 .8 7.5 4 0 7.2z" />
            </marker>
          ))}
        </defs>
        {graph.edges.map((edge) => (
          <Edge key={`${edge.from} ${edge.to} ${edge.kind}`} edge={edge} layout={layout} />
        ))}
        {nodes.map((placed) => (
          <Node key={placed.node.id} placed={placed} isCentre={placed.node.id === centre} walkTo={walkTo} />
        ))}
      </svg>
    </div>
  );
}

function Edge({ edge, layout }: { edge: GraphEdge; layout: Layout }) {
  const course = courseOf(edge, layout);
  if (course === null) return null;
  const kind = visibleText(edge.kind);
  return (
    <g class={`edge ${kind}`} aria-hidden="true">
      <title>{visibleText(`#${edge.from} ${edge.kind} #${edge.to}: ${edge.evidence ?? ''}`)}</title>
      <path
        d={course.path}
        marker-end={`url(#head-${kind})`}
        {...(kind === 'contradicts' ? { 'marker-start': `url(#head-${kind})` } : {})}
      />
      <text x={course.middle.x} y={course.middle.y} text-anchor="middle">
        {kind}
      </text>
    </g>
  );
}

function Node({
  placed: { node, x, y },
  isCentre,
  walkTo,
}: {
  placed: Placed;
  isCentre: boolean;
  walkTo: (id: number) => void;
}) {
  const label = visibleText(oneLine(node.text, graphLabelChars * 2));
  const lines = inTwo(label, graphLabelChars);
  const state = [isCentre && 'here', node.superseded && 'superseded', node.pinned && 'pinned'].filter(
    Boolean,
  );
  const press = (event: Event): void => {
    event.preventDefault();
    walkTo(node.id);
  };
  return (
    <g
      class={`node ${isCentre ? 'centre' : ''} ${node.superseded ? 'is-superseded' : ''}`}
      transform={`translate(${x.toFixed(1)} ${y.toFixed(1)})`}
      role="button"
      tabindex={0}
      aria-label={[`${node.id} ${lines.join(' ')}`, ...state].join(', ')}
      onClick={press}
      onKeyDown={(event) => {
        if (event.key === 'Enter' || event.key === ' ') press(event);
      }}
    >
      <circle class="node-ring" r={radius + 5} />
      <circle class="node-disc" r={radius} />
      {/* One text with spaces in it, so that what is read out is what is seen. */}
      <text text-anchor="middle">
        <tspan class="node-id" x="0" y="4">
          {node.id}
        </tspan>
        {lines.flatMap((line, at) => [
          ' ',
          <tspan key={at} class="node-text" x="0" y={radius + 15 + at * 12}>
            {line}
          </tspan>,
        ])}
      </text>
    </g>
  );
}

/** A label in at most two lines, broken after a space or within a path where that is in time. */
function inTwo(label: string, chars: number): string[] {
  if (label.length <= chars) return [label];
  const breaks = Math.max(...[' ', '/', '_', '-'].map((sign) => label.lastIndexOf(sign, chars - 1) + 1));
  const at = breaks > chars / 3 ? breaks : chars;
  return [label.slice(0, at).trimEnd(), oneLine(label.slice(at), chars)];
}
