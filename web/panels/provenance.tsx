import { api } from '../api.ts';
import { hasFailed, useLoad } from '../parts/hooks.ts';
import { What } from '../parts/marks.tsx';
import { Failed, Loading } from '../parts/states.tsx';
import { type Asked, type Route, writeRoute } from '../route.ts';
import { Inline } from '../session/said.tsx';
import type { Graph, GraphEdge } from '../shapes.ts';
import { oneLine } from '../text/cut.ts';
import { visibleText } from '../text/visible.ts';
import { fullTime } from '../text/words.ts';
import { ownWords } from './rows.tsx';

const stepsAway = 3;
const textCharsMax = 280;
/** The list has the times. */
const timesInText = / \(\d{4}-\d\d-\d\dT[\d:.]+Z\)/g;

/** What this memory replaced, what replaced it and what contradicts it, in the order of time. */
export function Provenance({ id, edges, route, generation }: ProvenanceProps) {
  const graph = useLoad(edges === 0 ? null : `${id} ${generation}`, (signal) =>
    api.graph(id, stepsAway, signal),
  );
  const isRefused = hasFailed(graph, `${id} `);
  if (edges === 0) return null;
  return (
    <section class="panel provenance" aria-labelledby="provenance-title">
      <h3 id="provenance-title">
        Provenance <span class="quiet">what replaced what</span>
      </h3>
      {isRefused && <Failed what="The provenance" error={graph.error} again={graph.again} />}
      {!isRefused && graph.value === null && <Loading what="the provenance" lines={4} />}
      {!isRefused && graph.value !== null && <Course graph={graph.value} id={id} route={route} />}
    </section>
  );
}

interface ProvenanceProps extends Omit<Asked, 'status'> {
  readonly id: number;
  readonly edges: number;
}

function Course({ graph, id, route }: { graph: Graph; id: number; route: Route }) {
  const nodes = [...graph.nodes].sort((a, b) => b.ts.localeCompare(a.ts) || b.id - a.id);
  return (
    <>
      <ol class="course">
        {nodes.map((node) => (
          <li key={node.id} class={node.superseded ? 'is-superseded' : ''} aria-current={node.id === id}>
            <p class="course-head">
              {node.id === id ? (
                <b>#{id}, this memory</b>
              ) : (
                <a href={writeRoute({ ...route, open: node.id })}>#{node.id}</a>
              )}
              <What summary={node} />
              {node.superseded && <span class="flag superseded">superseded</span>}
              <time dateTime={node.ts} class="quiet">
                {fullTime(node.ts)}
              </time>
            </p>
            <Inline as="p" class="course-text" text={oneLine(ownWords(node), textCharsMax)} />
            {graph.edges
              .filter(({ from }) => from === node.id)
              .map((edge) => (
                <Link key={`${edge.to} ${edge.kind}`} edge={edge} />
              ))}
          </li>
        ))}
      </ol>
      {graph.cut === true && <p class="notice">There are more neighbours than are shown.</p>}
    </>
  );
}

function Link({ edge: { to, kind, evidence } }: { edge: GraphEdge }) {
  return (
    <p class={`course-link ${visibleText(kind)}`}>
      <span class="kind">{visibleText(kind)}</span> #{to}
      {evidence !== null && evidence !== '' && (
        <>
          : <Inline text={evidence.replace(timesInText, '')} />
        </>
      )}
    </p>
  );
}
