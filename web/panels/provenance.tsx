import { useState } from 'preact/hooks';
import { api } from '../api.ts';
import { Picture } from '../graph/picture.tsx';
import { hasFailed, useLoad } from '../parts/hooks.ts';
import { What } from '../parts/marks.tsx';
import { Plain } from '../parts/plain.tsx';
import { Failed, Loading } from '../parts/states.tsx';
import { type Route, writeRoute } from '../route.ts';
import type { Graph, GraphEdge, GraphNode } from '../shapes.ts';
import { oneLine } from '../text/cut.ts';
import { visibleText } from '../text/visible.ts';
import { fullTime, plural } from '../text/words.ts';

const depths = [1, 2, 3] as const;

/** What this memory replaced, what replaced it and what speaks against it; one can walk from node to node. */
export function Provenance({
  id,
  edges,
  route,
  generation,
}: {
  id: number;
  edges: number;
  route: Route;
  generation: number;
}) {
  const [trail, setTrail] = useState<readonly number[]>([id]);
  const [depth, setDepth] = useState<number>(2);
  const centre = trail.at(-1) ?? id;
  const question = JSON.stringify([centre, depth]);
  const graph = useLoad(edges === 0 ? null : `${question} ${generation}`, (signal) =>
    api.graph(centre, depth, signal),
  );
  const isRefused = hasFailed(graph, question);
  const walkTo = (to: number): void => {
    if (to !== centre)
      setTrail((before) => (before.includes(to) ? before.slice(0, before.indexOf(to) + 1) : [...before, to]));
  };
  return (
    <section class="panel provenance" aria-labelledby="provenance-title">
      <div class="panel-head">
        <h3 id="provenance-title">Provenance</h3>
        {edges > 0 && <Depth depth={depth} setDepth={setDepth} />}
      </div>
      {edges === 0 && <p class="quiet">No other memory replaces this one or speaks against it.</p>}
      {isRefused && <Failed what="The provenance" error={graph.error} again={graph.again} />}
      {edges > 0 && !isRefused && graph.value === null && <Loading what="the provenance" lines={4} />}
      {!isRefused && graph.value !== null && (
        <>
          <Trail trail={trail} walkTo={walkTo} />
          <Picture graph={graph.value} centre={centre} walkTo={walkTo} />
          {graph.value.cut === true && <p class="notice">There are more neighbours than are shown.</p>}
          <CwdCandidates
            node={graph.value.nodes.find((node) => node.id === centre)}
            opened={id}
            route={route}
          />
          <Edges graph={graph.value} centre={centre} walkTo={walkTo} />
        </>
      )}
    </section>
  );
}

function Depth({ depth, setDepth }: { depth: number; setDepth: (depth: number) => void }) {
  return (
    <fieldset class="switch">
      <legend class="unseen">Steps from the memory</legend>
      {depths.map((steps) => (
        <button key={steps} type="button" aria-pressed={depth === steps} onClick={() => setDepth(steps)}>
          {steps}
          <span class="unseen"> {steps === 1 ? 'step' : 'steps'}</span>
        </button>
      ))}
      <span class="switch-unit" aria-hidden="true">
        steps
      </span>
    </fieldset>
  );
}

function Trail({ trail, walkTo }: { trail: readonly number[]; walkTo: (id: number) => void }) {
  if (trail.length < 2) return null;
  return (
    <nav class="trail" aria-label="The way walked">
      {trail.map((id, at) => (
        <>
          {at > 0 && <span aria-hidden="true"> → </span>}
          <button
            key={id}
            type="button"
            class="plain"
            disabled={at === trail.length - 1}
            onClick={() => walkTo(id)}
          >
            #{id}
          </button>
        </>
      ))}
    </nav>
  );
}

/** The node one stands on, when that is not the memory that is open. */
function CwdCandidates({
  node,
  opened,
  route,
}: {
  node: GraphNode | undefined;
  opened: number;
  route: Route;
}) {
  if (node === undefined || node.id === opened) return null;
  return (
    <div class="standing" role="status">
      <p>
        <a href={writeRoute({ ...route, open: node.id })}>Open #{node.id}</a> <What summary={node} />{' '}
        <span class="quiet">{fullTime(node.ts)}</span>
      </p>
      <p>
        <Plain text={oneLine(node.text, 400)} />
      </p>
    </div>
  );
}

function Edges({ graph, centre, walkTo }: { graph: Graph; centre: number; walkTo: (id: number) => void }) {
  const isNear = ({ from, to }: GraphEdge): boolean => from === centre || to === centre;
  const ordered = [...graph.edges].sort(
    (a, b) => Number(isNear(b)) - Number(isNear(a)) || b.ts.localeCompare(a.ts),
  );
  return (
    <details class="edges" open>
      <summary>{plural(graph.edges.length, 'link')} as a list</summary>
      <ul>
        {ordered.map((edge) => (
          <li key={`${edge.from} ${edge.to} ${edge.kind}`}>
            <p>
              <To id={edge.from} centre={centre} walkTo={walkTo} />{' '}
              <span class={`kind ${visibleText(edge.kind)}`}>{visibleText(edge.kind)}</span>{' '}
              <To id={edge.to} centre={centre} walkTo={walkTo} />
            </p>
            <p class="evidence">
              <Plain text={edge.evidence ?? 'no evidence was kept'} />{' '}
              <span class="quiet">· {fullTime(edge.ts)}</span>
            </p>
          </li>
        ))}
      </ul>
    </details>
  );
}

function To({ id, centre, walkTo }: { id: number; centre: number; walkTo: (id: number) => void }) {
  if (id === centre) return <b>#{id}</b>;
  return (
    <button type="button" class="plain" onClick={() => walkTo(id)} aria-label={`Walk to #${id}`}>
      #{id}
    </button>
  );
}
