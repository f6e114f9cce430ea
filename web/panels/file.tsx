import { useMemo } from 'preact/hooks';
import { api } from '../api.ts';
import type { Watched } from '../live.ts';
import { useAllSessions } from '../parts/all-sessions.ts';
import { Copy } from '../parts/copy.tsx';
import { useGeneration, useLateKey, useLoad, useNow } from '../parts/hooks.ts';
import { stateNames } from '../parts/marks.tsx';
import { Counts } from '../parts/path.tsx';
import { Plain } from '../parts/plain.tsx';
import { Empty, Failed, Loading } from '../parts/states.tsx';
import { home, writeRoute } from '../route.ts';
import { show } from '../session/jump.ts';
import type { FileHistory, FileStep, State } from '../shapes.ts';
import { plural } from '../text/words.ts';
import { type States, Visit } from './visit.tsx';

/** As many as the daemon compares for one request. */
const statesMax = 50;

/** All that happened to a file in any session: who touched it, when, and what was asked then. */
export function FileView({ path, watched }: FileProps) {
  if (path === '') return <Empty title="The address names no file." />;
  return <History path={path} watched={watched} />;
}

interface FileProps {
  readonly path: string;
  readonly watched: Watched;
}

function History({ path, watched }: FileProps) {
  const generation = useGeneration(watched.status?.counts.summaries ?? null);
  const loaded = useLoad(`${path} ${generation}`, (signal) => api.file(path, signal));
  const nowMs = useNow();
  const raw = watched.status?.counts.raw ?? 0;
  const history = useMemo(() => loaded.value && withOnly(loaded.value), [loaded.value]);
  const states = useStates(history, generation);
  const sessions = useAllSessions(useLateKey(generation), null).sessions;
  const withClient = sessions?.some(({ client }) => client !== sessions[0]?.client) ?? false;
  const visits = useMemo(() => visitsOf(history?.steps ?? []), [history]);
  const bySeq = useMemo(() => new Map(history?.steps.map((step) => [step.seq, step])), [history]);
  return (
    <section class="page-column file-view" aria-labelledby="file-title">
      <header class="session-head">
        <p class="session-back">File</p>
        <h2 id="file-title">
          <code>
            <Plain text={history?.path ?? path} />
          </code>
        </h2>
        {history !== null && history.steps.length > 0 && (
          <Sum history={history} visits={visits.length} states={states} />
        )}
      </header>
      {loaded.error !== null && <Failed what="The file" error={loaded.error} again={loaded.again} />}
      {history === null && loaded.error === null && <Loading what="the file" lines={8} />}
      {history !== null && history.steps.length === 0 && (
        <Empty title="No call that is remembered names this file.">
          {raw > 0 && (
            <p>
              {plural(raw, 'event is', 'events are')} captured and not yet summarised; the daemon goes on with
              that in the background, <kbd>memd drain</kbd> does it now.
            </p>
          )}
          <p>
            <a href={writeRoute({ ...home, view: 'memories', query: path.split('/').at(-1) ?? path })}>
              Search for its name
            </a>
          </p>
        </Empty>
      )}
      <ol class="visits">
        {visits.map((steps) => (
          <Visit
            key={steps[0]?.seq}
            steps={steps}
            session={sessions?.find(({ sessionId }) => sessionId === steps[0]?.sessionId)}
            withClient={withClient}
            bySeq={bySeq}
            nowMs={nowMs}
            states={states ?? {}}
          />
        ))}
      </ol>
      {history?.isCut === true && <p class="quiet below">Older calls are not listed.</p>}
    </section>
  );
}

/** Whether the newest changes of the file still stand in it, and in which commit they are; null while they are compared. */
function useStates(history: FileHistory | null, generation: number): States | null {
  const ids = (history?.steps ?? [])
    .flatMap(({ id, end, files = [] }) => (id !== null && end === undefined && files.length > 0 ? [id] : []))
    .slice(0, statesMax);
  const list = ids.join(',');
  const loaded = useLoad(list === '' ? null : `${list} ${generation}`, (signal) =>
    api.states(ids, history?.path ?? '', signal),
  );
  if (list === '' || loaded.error !== null) return {};
  return loaded.key?.startsWith(`${list} `) === true ? loaded.value : null;
}

/** A patch may change other files too. A call within a folder names the file from there. */
function withOnly(history: FileHistory): FileHistory {
  const path = `/${flat(history.path)}`;
  const isSame = (other: string): boolean => path.endsWith(other) || other.endsWith(path);
  const steps = history.steps.map((step) => ({
    ...step,
    files: (step.files ?? []).filter((file) => isSame(`/${flat(file.path)}`)),
  }));
  return { ...history, steps };
}

/** As other systems write it. */
function flat(path: string): string {
  return path.replaceAll('\\', '/');
}

function Sum({
  history: { path, steps },
  visits,
  states,
}: {
  history: FileHistory;
  visits: number;
  states: States | null;
}) {
  const changes = steps.flatMap(({ files = [] }) => files);
  const added = changes.reduce((sum, file) => sum + file.added, 0);
  const removed = changes.reduce((sum, file) => sum + file.removed, 0);
  const failures = steps.filter(({ isFailure }) => isFailure);
  const compared = Object.values(states ?? {}).filter(({ verdict }) => verdict !== 'unknown').length;
  const isGone = changes[0]?.isGone === true;
  return (
    <p class="session-line">
      {isGone && <span class="flag failed">removed by the last change</span>}
      {!isGone && states === null && <span class="quiet">comparing with the file …</span>}
      {!isGone && states !== null && <StateSum states={Object.values(states)} />}
      <span>
        {plural(changes.length, 'change')}
        {!isGone && states !== null && compared > 0 && compared < changes.length && (
          <span title="Changes that only remove lines, and older ones, are not compared with the file.">
            , {changes.length - compared} not compared
          </span>
        )}
      </span>
      <Counts added={added} removed={removed} />
      {steps.length > changes.length && <span>{plural(steps.length - changes.length, 'other call')}</span>}
      {failures.length > 0 && (
        <button type="button" class="plain end-bad" title="To the latest failure" onClick={showFailure}>
          {failures.length} failed
        </button>
      )}
      <span>{plural(visits, 'request')}</span>
      <span class="no-print">
        <Copy what="path" text={path} />
      </span>
    </p>
  );
}

function showFailure(): void {
  const row = document.querySelector<HTMLElement>('.file-view .is-bad .step-row');
  if (row !== null) show(row);
}

/** `3 changes still there, 1 gone`, of those that could be compared. */
function StateSum({ states }: { states: readonly State[] }) {
  const sums = (['current', 'changed', 'gone'] as const)
    .map((verdict) => ({ verdict, of: states.filter((state) => state.verdict === verdict).length }))
    .filter(({ of }) => of > 0);
  return (
    <>
      {sums.map(({ verdict, of }) => (
        <span key={verdict} class={`flag state-${verdict}`}>
          {of} {stateNames[verdict]}
        </span>
      ))}
    </>
  );
}

/** Steps of one session and request together, as they follow each other. */
function visitsOf(steps: readonly FileStep[]): FileStep[][] {
  const visits: FileStep[][] = [];
  for (const step of steps) {
    const last = visits.at(-1);
    const [first] = last ?? [];
    if (first?.sessionId === step.sessionId && first.asked === step.asked) last?.push(step);
    else visits.push([step]);
  }
  return visits;
}
