import { runningMs } from '../limits.ts';
import { sessionLink } from '../route.ts';
import { Inline } from '../session/said.tsx';
import type { Session } from '../shapes.ts';
import { accountOf, filesIn, titleOf } from '../text/account.ts';
import { visibleText } from '../text/visible.ts';
import { clock, fullTime, plural, shortDay, shortId, span } from '../text/words.ts';
import { EndingChip } from './ending.tsx';
import { Plain } from './plain.tsx';

const filesShown = 3;

/** A session in a few lines: what it was about, how it ended, which files. Opens it. */
export function SessionRow({
  session,
  nowMs,
  withDay = false,
}: {
  session: Session;
  nowMs: number;
  withDay?: boolean;
}) {
  const { sessionId, client, firstTs, lastTs, events, messages } = session;
  const account = accountOf(session.digest);
  const title = titleOf(account);
  const second = account.outcome || (account.commits.length > 0 ? account.goal : '');
  const isRunning = nowMs - Date.parse(lastTs) < runningMs;
  return (
    <li>
      <a class="session" data-row={sessionId} href={sessionLink(sessionId)}>
        <span class="session-when">
          {/* Of its end, by which sessions are ordered and grouped: one that goes on for days began on another one. */}
          <time dateTime={lastTs} title={`${fullTime(firstTs)} to ${fullTime(lastTs)}`}>
            {withDay ? shortDay(lastTs, nowMs) : clock(lastTs)}
          </time>
          {withDay && <span class="quiet">{clock(lastTs)}</span>}
          <span class="quiet">{span(Math.max(0, Date.parse(lastTs) - Date.parse(firstTs)))}</span>
        </span>
        <span class="session-title" dir="auto">
          <Inline text={title || `Session ${shortId(sessionId) || 'without an id'}`} />
        </span>
        {session.digest === null && <span class="session-second">not summarised yet</span>}
        {second !== '' && (
          <span class="session-second" dir="auto">
            <Inline text={second} />
          </span>
        )}
        <span class="session-meta">
          <EndingChip session={session} />
          {isRunning && <span class="flag running">running</span>}
          <span>{plural(events - messages, 'call')}</span>
          <span>{visibleText(client)}</span>
          <FileNames changed={account.changed} />
        </span>
      </a>
    </li>
  );
}

function FileNames({ changed }: { changed: string }) {
  const { names, count } = filesIn(changed);
  if (count === 0) return null;
  const shown = names.slice(0, filesShown).map((name) => name.split('/').at(-1) ?? name);
  const more = count - shown.length;
  return (
    <span class="file-names" title={visibleText(names.join('\n'))}>
      <span>
        <Plain text={shown.join(', ')} />
      </span>
      {more > 0 && ` and ${more} more`}
    </span>
  );
}
