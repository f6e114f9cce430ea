import { Digest } from '../parts/digest.tsx';
import type { Session } from '../shapes.ts';
import { fullTime, plural } from '../text/words.ts';

/** What the session was about whose memories are listed. */
export function SessionCard({ session }: { session: Session }) {
  return (
    <div class="session-card">
      <p class="quiet">
        {fullTime(session.firstTs)} to {fullTime(session.lastTs)}, {plural(session.events, 'call')}
        {session.errors > 0 && `, ${session.errors} failed`}
      </p>
      <Digest digest={session.digest} />
    </div>
  );
}
