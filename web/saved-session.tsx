import { useState } from 'preact/hooks';
import type { Watched } from './live.ts';
import { Root } from './parts/root.tsx';
import { home, readRoute } from './route.ts';
import type { Saved } from './saved.ts';
import { SessionView } from './session/session.tsx';
import { visibleText } from './text/visible.ts';
import { fullTime } from './text/words.ts';

const unwatched: Watched = { link: 'live', status: null, heardMs: 0, askedMs: 0, samples: [] };

/** One session without a daemon: nothing is asked for, and what would lead out of the file is not a link. */
export function SavedSession({ saved: { session, root, savedMs } }: { saved: Saved }) {
  const [at] = useState(() => readRoute(location.hash).at);
  const project = visibleText(root.split('/').at(-1) ?? '');
  return (
    <div class="app view-session">
      <header class="bar">
        <h1 class="brand">memd / {project}</h1>
        <p class="quiet">Saved {fullTime(new Date(savedMs).toISOString())}</p>
      </header>
      <main id="main" tabIndex={-1}>
        <Root.Provider value={root}>
          <SessionView
            route={{ ...home, view: 'session', session: session.sessionId, at }}
            watched={unwatched}
          />
        </Root.Provider>
      </main>
    </div>
  );
}
