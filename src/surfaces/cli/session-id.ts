import { Failure } from '../../core/platform/index.ts';
import type { Io } from './io.ts';
import { answer, type SessionReply } from './replies.ts';

/** The session of an id, a unique prefix of one, or `last`. @throws Failure `bad_request` that names near ones */
export async function findSession(session: string, io: Io): Promise<SessionReply> {
  const [found] = (await answer('sessions', { session }, io)).sessions;
  if (found !== undefined) return found;
  throw new Failure('not_found', `session ${session} was removed just now`, { repair: 'run `mem sessions`' });
}
