import type { ComponentChildren } from 'preact';
import { ApiError } from '../api.ts';
import { home, writeRoute } from '../route.ts';
import { visibleText } from '../text/visible.ts';

/** Nothing is there: why, and what would change that. */
export function Empty({ title = '', children }: { title?: string; children?: ComponentChildren }) {
  return (
    <div class="state empty">
      {title !== '' && <p class="state-title">{title}</p>}
      <div class="state-help">{children}</div>
    </div>
  );
}

/** Lines where the text will stand, so that nothing jumps when it comes. */
export function Loading({ what, lines = 6 }: { what: string; lines?: number }) {
  return (
    <div class="state loading" role="status">
      <span class="unseen">Loading {what}</span>
      {Array.from({ length: lines }, (_, at) => (
        <span class="ghost" key={at} style={{ width: `${92 - ((at * 37) % 45)}%` }} />
      ))}
    </div>
  );
}

export function Failed({ error, again, what }: { error: unknown; again: () => void; what: string }) {
  const said = error instanceof Error ? error.message : String(error);
  const isGone = error instanceof ApiError && error.trouble === 'gone';
  if (error instanceof ApiError && error.status === 404) {
    return (
      <Empty title={`${what} is not there.`}>
        <p>
          It may have been forgotten, or is of another project.{' '}
          <a href={writeRoute({ ...home, view: 'sessions' })}>All sessions</a>
        </p>
      </Empty>
    );
  }
  return (
    <div class="state failed-state" role="alert">
      <p class="state-title">
        {what} could not be read: {visibleText(said).replace(/\.$/, '')}.
      </p>
      <p class="state-help">
        {isGone ? (
          <>
            See whether the daemon runs with <kbd>memd info</kbd>.{' '}
          </>
        ) : (
          <>
            The daemon's log has the reason: <kbd>memd logs</kbd>.{' '}
          </>
        )}
        <button type="button" onClick={again}>
          Try again
        </button>
      </p>
    </div>
  );
}
