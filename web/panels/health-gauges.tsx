import { type ComponentChildren, createContext } from 'preact';
import { useContext } from 'preact/hooks';
import { embeddingLagMax, rawBacklogMax } from '../limits.ts';
import type { Watched } from '../live.ts';
import { useNow } from '../parts/hooks.ts';
import { Meter } from '../parts/meter.tsx';
import { Plain } from '../parts/plain.tsx';
import type { Status } from '../shapes.ts';
import { bytes, count, plural, span } from '../text/words.ts';

type State = 'good' | 'note' | 'bad' | 'old';

/** Whether the daemon answers; older data is shown without a lamp. */
export const Listeners = createContext(true);

export function Daemon({ watched, status }: { watched: Watched; status: Status }) {
  const nowMs = useNow();
  const isUp = watched.link !== 'gone' && status.daemon.reachable;
  const upMs = (status.daemon.uptimeSec ?? 0) * 1000 + Math.max(0, nowMs - watched.askedMs);
  return (
    <Gauge
      name="Daemon"
      state={isUp ? 'good' : 'bad'}
      reading={isUp ? `up ${span(upMs)}` : 'does not answer'}
    >
      {isUp ? (
        <p>
          pid {status.daemon.pid}, version {status.version}, namespace{' '}
          <Plain text={status.workspace.namespace} />
          <br />
          <Plain as="code" text={status.workspace.root} />
          <br />
          {bytes(status.bytes)} on disk
        </p>
      ) : (
        <p>
          <kbd>memd start</kbd> starts it, <kbd>memd doctor</kbd> says what is in its way.
        </p>
      )}
    </Gauge>
  );
}

export function Backend({ status }: { status: Status }) {
  const { drain, drainError, drainHint } = status.backends;
  const state: State = drain === null ? 'bad' : drainError !== null ? 'note' : 'good';
  return (
    <Gauge name="Summaries by" state={state} reading={drain === null ? 'none' : <Plain text={drain} />}>
      {drainError !== null && <Plain as="p" text={drainError} />}
      {drainHint !== null && <Plain as="p" class="repair" text={drainHint} />}
      {drainError === null && drainHint === null && <p>New captures are summarised as they arrive.</p>}
    </Gauge>
  );
}

export function Embedder({ status }: { status: Status }) {
  const lag = Math.max(0, status.counts.summaries - status.counts.embeddings);
  const isLate = lag > embeddingLagMax;
  const { embedder } = status.backends;
  return (
    <Gauge
      name="Vectors by"
      state={isLate ? 'bad' : 'good'}
      reading={embedder === null ? 'none' : <Plain text={embedder} />}
    >
      {lag > 0 && (
        <Meter
          value={lag}
          most={embeddingLagMax}
          label={`${count(lag)} behind, ${embeddingLagMax} is too many`}
        />
      )}
      <p>
        {lag === 0
          ? 'Every memory has its vector.'
          : `${plural(lag, 'memory has', 'memories have')} no vector yet.`}
      </p>
      {isLate && (
        <p class="repair">
          The embedder has fallen behind: see <kbd>memd doctor</kbd>.
        </p>
      )}
    </Gauge>
  );
}

export function Backlog({ status }: { status: Status }) {
  const { raw, skipped } = status.counts;
  const state: State = raw > rawBacklogMax ? 'bad' : skipped > 0 ? 'note' : 'good';
  return (
    <Gauge name="Waiting" state={state} reading={`${count(raw)} raw`}>
      <p>
        {skipped === 0
          ? 'None was given up on.'
          : `${plural(skipped, 'call was', 'calls were')} given up on.`}
      </p>
      {raw > rawBacklogMax && (
        <p class="repair">
          <kbd>memd drain</kbd> summarises them now.
        </p>
      )}
      {skipped > 0 && (
        <p class="repair">
          <kbd>memd doctor</kbd> names the reasons and how to try them again.
        </p>
      )}
    </Gauge>
  );
}

export function Scope({ status: { scope } }: { status: Status }) {
  const isInvalid = scope.state === 'invalid';
  return (
    <Gauge
      name="Boundary"
      state={isInvalid ? 'bad' : scope.state === 'on' ? 'good' : null}
      reading={scope.state}
    >
      {scope.state === 'off' && (
        <p>
          No <code>.memd/scope.json</code>: the assistant may write anywhere.
        </p>
      )}
      {isInvalid && (
        <p class="repair">
          <code>.memd/scope.json</code> cannot be read, so nothing is guarded:{' '}
          <Plain text={scope.error ?? ''} />
        </p>
      )}
      {scope.state === 'on' && (
        <p>
          allow <code>{(scope.allow ?? ['everything']).join(', ')}</code>
          <br />
          deny <code>{(scope.deny ?? ['nothing']).join(', ')}</code>
        </p>
      )}
    </Gauge>
  );
}

export function Focus({ status: { focus } }: { status: Status }) {
  return (
    <Gauge name="Focus" state={null} reading={focus === null ? 'none' : <Plain text={focus} />}>
      {focus === null && (
        <p>
          <kbd>memd focus TEXT</kbd> shows the next session what matters now.
        </p>
      )}
    </Gauge>
  );
}

function Gauge({
  name,
  state,
  reading,
  children,
}: {
  name: string;
  /** Null: nothing that could be well or not. */
  state: State | null;
  reading: ComponentChildren;
  children?: ComponentChildren;
}) {
  const isAnswering = useContext(Listeners);
  const shown = isAnswering || state === 'bad' || state === null ? state : 'old';
  const words: Readonly<Record<State, string>> = {
    good: 'well',
    note: 'worth a look',
    bad: 'not well',
    old: 'as last heard',
  };
  return (
    <div class={`gauge gauge-${shown ?? 'plain'}`}>
      <h2>
        {shown !== null && <span class="gauge-lamp" aria-hidden="true" />}
        {name}
        {shown !== null && <span class="unseen">: {words[shown]}</span>}
      </h2>
      <p class="gauge-reading">{reading}</p>
      <div class="gauge-words">{children}</div>
    </div>
  );
}
