import { Failure } from '../../core/platform/index.ts';
import { askAwake, workspaceOf } from './daemon-link.ts';
import type { Io } from './io.ts';
import { read, type SessionReply } from './replies.ts';

const sessionsMax = 500;
const prefixCharsMin = 4;
const namedMax = 3;

/** The session of an id, a unique prefix of one, or `last`. A whole id goes before a prefix. @throws Failure `not_found` */
export async function findSession(wanted: string, io: Io): Promise<SessionReply> {
  const request = { op: 'sessions', limit: sessionsMax };
  const { sessions } = read('sessions', await askAwake(workspaceOf(io), io, request));
  const named = sessions.filter(({ sessionId }) => sessionId !== '');
  const newest = named.reduce<SessionReply | undefined>(
    (best, one) => (best === undefined || one.lastTs > best.lastTs ? one : best),
    undefined,
  );
  if (newest === undefined)
    throw new Failure('not_found', 'this memory has no session', { repair: 'run `memd backfill`' });
  if (wanted === 'last') return newest;
  const whole = named.find(({ sessionId }) => sessionId === wanted);
  const starts =
    wanted.length < prefixCharsMin ? [] : named.filter(({ sessionId }) => sessionId.startsWith(wanted));
  const [found, second] = whole === undefined ? starts : [whole];
  if (found !== undefined && second === undefined) return found;
  const near = starts.length > 0 ? starts : nearest(named, wanted);
  const list = near.slice(0, namedMax).map(({ sessionId }) => sessionId);
  const what = starts.length > 1 ? `several sessions begin with ${wanted}` : `no session is named ${wanted}`;
  throw new Failure(
    'not_found',
    `${what}. ${starts.length > 1 ? 'They are' : 'Near ones are'} ${list.join(', ')}`,
    {
      repair: 'run `mem sessions`',
    },
  );
}

/** Those that share the longest beginning. */
function nearest(sessions: readonly SessionReply[], wanted: string): readonly SessionReply[] {
  const shared = ({ sessionId }: SessionReply): number => {
    let same = 0;
    while (same < wanted.length && sessionId[same] === wanted[same]) same += 1;
    return same;
  };
  return [...sessions].sort((a, b) => shared(b) - shared(a));
}
