import { Fragment } from 'preact';
import { workApart } from '../../src/core/event/work.ts';
import type { Ending } from '../../src/memory/account/account.ts';
import { runningMs } from '../limits.ts';
import { fileLink, sessionLink } from '../route.ts';
import { Inline } from '../session/said.tsx';
import type { Session } from '../shapes.ts';
import { visibleText } from '../text/visible.ts';
import { clock, fullTime, plural, sessionName, shortDay, span } from '../text/words.ts';
import { EndingChip } from './ending.tsx';
import { From } from './marks.tsx';
import { Plain } from './plain.tsx';

const filesShown = 3;

interface RowProps {
  readonly session: Session;
  readonly ending: Ending | null;
  readonly nowMs: number;
  /** Where there are several. */
  readonly withClient: boolean;
  readonly withDay?: boolean;
}

/** A session in a few lines: what it was about, how it ended, which files. It opens the session, a file's name the file. */
export function SessionRow({ session, nowMs, ending, withClient, withDay = false }: RowProps) {
  const { sessionId, client, firstTs, lastTs, events, messages } = session;
  const { brief } = session;
  const second = brief?.second ?? '';
  const wallMs = Math.max(0, Date.parse(lastTs) - Date.parse(firstTs));
  const work = workApart(brief?.workMs, wallMs);
  const isRunning = nowMs - Date.parse(lastTs) < runningMs;
  return (
    <li class="session">
      <span class="session-when">
        {/* Of its end, by which sessions are ordered and grouped: one that goes on for days began on another one. */}
        <time dateTime={lastTs}>{withDay ? shortDay(lastTs, nowMs) : clock(lastTs)}</time>
        {withDay && <span class="quiet">{clock(lastTs)}</span>}
        <span class="quiet">{span(work ?? wallMs)}</span>
        {work !== null && <span class="quiet">in {span(wallMs)}</span>}
      </span>
      <a
        class="session-title"
        dir="auto"
        data-row={sessionId}
        href={sessionLink(sessionId)}
        title={`${fullTime(firstTs)} to ${fullTime(lastTs)}`}
      >
        <Inline text={sessionName(session)} />
      </a>
      {brief === null && <span class="session-second">not summarised yet</span>}
      {second !== '' && <Inline as="span" class="session-second" dir="auto" text={second} />}
      <span class="session-meta">
        <EndingChip ending={ending} files={brief?.filesCount ?? 0} />
        <From author={session.author} />
        {isRunning && <span class="flag running">running</span>}
        <span>{plural(events - messages, 'call')}</span>
        {withClient && <span>{visibleText(client)}</span>}
        {brief !== null && <FileNames names={brief.files} count={brief.filesCount} />}
      </span>
    </li>
  );
}

function FileNames({ names, count }: { names: readonly string[]; count: number }) {
  if (count === 0) return null;
  const shown = names.slice(0, filesShown);
  return (
    <span class="file-names">
      <span>
        {shown.map((path, at) => (
          <Fragment key={path}>
            {at > 0 && ', '}
            <FileName path={path} />
          </Fragment>
        ))}
      </span>
      {count > shown.length && ` and ${count - shown.length} more`}
    </span>
  );
}

function FileName({ path }: { path: string }) {
  const name = <Plain text={path.split('/').at(-1) || path} />;
  return (
    <a href={fileLink(path)} title={visibleText(path)}>
      {name}
    </a>
  );
}
