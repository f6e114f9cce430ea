import { toolFamily } from '../../src/core/event/tool-family.ts';
import { overviewSessions, overviewTools } from '../limits.ts';
import { Digest } from '../parts/digest.tsx';
import { useNow } from '../parts/hooks.ts';
import { Tool } from '../parts/marks.tsx';
import { home, writeRoute } from '../route.ts';
import type { Session, ToolCount } from '../shapes.ts';
import { ago, count, plural } from '../text/words.ts';

/** Shown while no memory is open: the last sessions, the counts, the keys. */
export function Overview({ tools, sessions }: { tools: readonly ToolCount[]; sessions: readonly Session[] }) {
  return (
    <section class="overview" aria-label="Overview">
      {sessions.length > 0 && <LastSessions sessions={sessions.slice(0, overviewSessions)} />}
      {tools.length > 0 && <ByTool tools={tools} />}
      <p class="overview-keys">
        <span>
          <kbd>↓</kbd> <kbd>Enter</kbd> open a memory
        </span>
        <span>
          <kbd>/</kbd> search
        </span>
        <span>
          <kbd>?</kbd> all keys
        </span>
      </p>
    </section>
  );
}

function LastSessions({ sessions }: { sessions: readonly Session[] }) {
  const nowMs = useNow();
  return (
    <section class="panel">
      <h2>Last sessions</h2>
      <ul class="last-sessions">
        {sessions.map((session) => (
          <li key={session.sessionId}>
            <p class="quiet">
              <a href={writeRoute({ ...home, session: session.sessionId })}>
                {plural(session.events - session.messages, 'call')}
              </a>
              {session.errors > 0 && <span class="flag failed">{session.errors} failed</span>}{' '}
              {ago(session.lastTs, nowMs)}
            </p>
            <Digest digest={session.digest} />
          </li>
        ))}
      </ul>
    </section>
  );
}

function ByTool({ tools }: { tools: readonly ToolCount[] }) {
  const shown = [...tools].sort((a, b) => b.count - a.count).slice(0, overviewTools);
  const most = shown[0]?.count ?? 1;
  return (
    <section class="panel">
      <h2>By tool</h2>
      <ul class="by-tool">
        {shown.map((one) => (
          <ToolBar key={one.tool} {...one} most={most} />
        ))}
      </ul>
      {tools.length > shown.length && (
        <p class="quiet">and {plural(tools.length - shown.length, 'other tool')}: see the filter</p>
      )}
    </section>
  );
}

function ToolBar({ tool, count: many, most }: ToolCount & { most: number }) {
  return (
    <li>
      <a href={writeRoute({ ...home, tool })}>
        <Tool name={tool} />
        <span class={`by-tool-bar family-${toolFamily(tool)}`} aria-hidden="true">
          <span style={{ width: `${(many / most) * 100}%` }} />
        </span>
        <span class="by-tool-count">{count(many)}</span>
      </a>
    </li>
  );
}
