import { Fragment } from 'preact';
import type { api } from '../api.ts';
import { NearDays } from '../parts/near-days.tsx';
import { FilePath } from '../parts/path.tsx';
import { home, type Route, sessionLink, writeRoute } from '../route.ts';
import { Inline } from '../session/said.tsx';
import type { Session } from '../shapes.ts';
import { oneLine } from '../text/cut.ts';
import { visibleText } from '../text/visible.ts';
import { plural, shortDay } from '../text/words.ts';

export const kinds = ['session', 'call', 'message'] as const;
export const titleCharsMax = 160;
const filesMax = 5;

interface NotesProps {
  readonly answer: Awaited<ReturnType<typeof api.search>>;
  readonly route: Route;
  readonly files: readonly string[];
  readonly named: readonly Session[];
  /** Newest first. */
  readonly sessions: readonly Session[];
  /** There may be more than the answer holds. */
  readonly isBound: boolean;
  readonly isLoading: boolean;
}

/** How many hits there are, and what limits them. */
export function Notes({ answer, route, files, named, sessions, isBound, isLoading }: NotesProps) {
  const { hits, dates, fits, missing } = answer;
  const { query } = route;
  return (
    <div role="status">
      <h2 class="list-title">
        {hits.length === 0 ? 'Nothing found' : `${isBound ? 'The best ' : ''}${plural(hits.length, 'hit')}`}{' '}
        <span class="quiet">for “{visibleText(query)}”</span>
      </h2>
      {files.length > 0 && (
        <p class="list-note">
          {files.length === 1 ? 'All of the file ' : 'All of a file: '}
          {files.slice(0, filesMax).map((path, at) => (
            <Fragment key={path}>
              {at > 0 && ', '}
              <FilePath path={path} />
            </Fragment>
          ))}
        </p>
      )}
      {named.slice(0, namedMax).map(({ sessionId, brief, lastTs }) => (
        <p key={sessionId} class="list-note named">
          Session{' '}
          <a href={sessionLink(sessionId)} dir="auto">
            <Inline text={oneLine(brief?.title ?? '', titleCharsMax)} />
          </a>{' '}
          <span class="quiet day-short">{shortDay(lastTs, Date.now())}</span>
        </p>
      ))}
      {isBound && route.kind === '' && (
        <p class="list-note quiet">
          Only{' '}
          {kinds.map((one, at) => (
            <Fragment key={one}>
              {at > 0 && ', '}
              <a href={writeRoute({ ...route, kind: one, open: null })}>{one}s</a>
            </Fragment>
          ))}
        </p>
      )}
      {dates !== undefined && <DateNote {...{ dates, sessions }} />}
      {missing !== undefined && !isLoading && (
        <p class="list-note">
          No memory has {missing.map(([from, to]) => `“${visibleText(query.slice(from, to))}”`).join(', ')}.
        </p>
      )}
      {fits === false && hits.length > 0 && (
        <p class="list-note">No memory mentions a name in the query. The closest:</p>
      )}
    </div>
  );
}

interface DateProps extends Pick<NotesProps, 'sessions'> {
  readonly dates: NonNullable<NotesProps['answer']['dates']>;
}

/** The date that limits the hits, or the days next to it where nothing is. */
function DateNote({ dates, sessions }: DateProps) {
  const { lifted, text, since, until } = dates;
  return (
    <div class="list-note quiet">
      <p>
        {lifted
          ? `No memory ${text} fits. These are of other dates.`
          : `Only ${text}: the query has this date.`}
      </p>
      {lifted && (
        <NearDays
          {...{ sessions, since: since ?? '', until: until ?? '' }}
          route={{ ...home, view: 'sessions' }}
        />
      )}
    </div>
  );
}

/**
 * The files with that name, or a path that ends so, that any of the sessions has changed; the extension and the signs between words may be missing.
 * Among other words a name has its extension or folder.
 */
export function filesNamed(query: string, sessions: readonly Pick<Session, 'brief'>[]): string[] {
  const among = (query.match(/[\p{L}\p{N}@._/-]+/gu) ?? [])
    .map((word) => word.replace(/[./]+$/, ''))
    .filter((word) => /[./]/.test(word));
  const wanted = [query.trim(), ...among].map(flat).filter((one) => one.length >= nameCharsMin);
  const names = new Set(sessions.flatMap(({ brief }) => brief?.files ?? []));
  return [...names].filter((name) => {
    const path = `/${flat(name)}`;
    const bare = path.replace(/(?<=[^/])\.[^/]*$/, '');
    return wanted.some((one) => path.endsWith(`/${one}`) || bare.endsWith(`/${one}`));
  });
}

const nameCharsMin = 3;

function flat(name: string): string {
  return name.toLowerCase().replace(/[\s_-]+/g, ' ');
}

/** The sessions whose title has all words of the query, newest first. */
export function sessionsNamed<S extends Pick<Session, 'brief'>>(query: string, sessions: readonly S[]): S[] {
  const words = query.toLowerCase().split(/\s+/).filter(Boolean);
  if (query.trim().length < nameCharsMin) return [];
  return sessions.filter(({ brief }) => {
    const title = brief?.title.toLowerCase() ?? '';
    return words.every((word) => title.includes(word));
  });
}

const namedMax = 3;
