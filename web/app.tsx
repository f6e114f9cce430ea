import { useEffect, useState } from 'preact/hooks';
import { useKeys } from './keys.ts';
import { type Link, useLive, type Watched } from './live.ts';
import { FileView } from './panels/file.tsx';
import { Gone, Locked } from './panels/gone.tsx';
import { Health } from './panels/health.tsx';
import { Help } from './panels/help.tsx';
import { Home } from './panels/home.tsx';
import { Memories } from './panels/memories.tsx';
import { Projects } from './panels/projects.tsx';
import { SearchBox } from './panels/search-box.tsx';
import { Sessions } from './panels/sessions.tsx';
import { useReturn } from './parts/return.ts';
import { Root } from './parts/root.tsx';
import { ThemeSwitch } from './parts/theme.tsx';
import { barViews, home, type Route, useRoute, type View, writeRoute } from './route.ts';
import { SessionView } from './session/session.tsx';
import { visibleText } from './text/visible.ts';

export function App() {
  const route = useRoute();
  const watched = useLive();
  const [isHelpOpen, setHelpOpen] = useState(false);
  useKeys(() => setHelpOpen(true));
  useTitle(route, watched);
  useReturn();
  if (watched.link === 'locked') return <Locked />;
  return (
    <div class={`app view-${route.view}`}>
      <button type="button" class="skip" onClick={skip}>
        Skip to the content
      </button>
      <Bar route={route} watched={watched} openHelp={() => setHelpOpen(true)} />
      {watched.link === 'gone' && <Gone watched={watched} />}
      <main id="main" tabIndex={-1}>
        <Root.Provider value={watched.status?.workspace.root ?? ''}>
          <Shown route={route} watched={watched} />
        </Root.Provider>
      </main>
      {isHelpOpen && <Help close={() => setHelpOpen(false)} />}
    </div>
  );
}

function Shown({ route, watched }: { route: Route; watched: Watched }) {
  switch (route.view) {
    case 'home':
      return <Home watched={watched} />;
    case 'session':
      return <SessionView key={route.session} route={route} watched={watched} />;
    case 'file':
      return <FileView path={route.path} watched={watched} />;
    case 'projects':
      return <Projects />;
    case 'memories':
      return <Memories route={route} watched={watched} />;
    case 'sessions':
      return <Sessions route={route} watched={watched} />;
    case 'health':
      return <Health watched={watched} />;
  }
}

const names: Readonly<Record<View, string>> = {
  home: 'Home',
  sessions: 'Sessions',
  memories: 'Memories',
  health: 'Health',
  session: 'Session',
  file: 'File',
  projects: 'All projects',
};

/** The view of the bar that a view belongs to; a file is of many sessions. */
function under(view: View): View {
  return view === 'session' ? 'sessions' : view;
}

function Bar({ route, watched, openHelp }: { route: Route; watched: Watched; openHelp: () => void }) {
  const root = watched.status?.workspace.root ?? '';
  const warnings = watched.status?.warnings.length ?? 0;
  return (
    <header class="bar">
      <h1 class="brand">
        <a href={writeRoute(home)}>memd</a>
        {root !== '' && (
          <a
            class="place"
            title={`${visibleText(root)}: all projects`}
            href={writeRoute({ ...home, view: 'projects' })}
          >
            {visibleText(root.split('/').at(-1) ?? '')}
          </a>
        )}
      </h1>
      <SearchBox route={route} />
      <nav aria-label="Views">
        {barViews.map((view) => (
          <a
            key={view}
            href={writeRoute({ ...home, view })}
            aria-current={under(route.view) === view ? 'page' : undefined}
          >
            {names[view]}
            {view === 'health' && warnings > 0 && (
              <span class="badge">
                {warnings}
                <span class="unseen"> {warnings === 1 ? 'warning' : 'warnings'}</span>
              </span>
            )}
          </a>
        ))}
      </nav>
      <Lamp link={watched.link} />
      <div class="tools">
        <ThemeSwitch />
        <button
          type="button"
          class="icon"
          aria-label="Help and keys"
          title="Help and keys (?)"
          onClick={openHelp}
        >
          <span aria-hidden="true">?</span>
        </button>
      </div>
    </header>
  );
}

const lamps: Readonly<Record<Link, readonly [string, string]>> = {
  starting: ['connecting', 'Waiting for the first answer of the daemon'],
  live: ['live', 'The daemon sends every change'],
  polling: ['every 5 s', 'No stream: the page asks every 5 seconds'],
  gone: ['no answer', 'The daemon does not answer'],
  locked: ['locked', 'The token is not valid'],
};

function Lamp({ link }: { link: Link }) {
  const [short, long] = lamps[link];
  return (
    <p class={`lamp lamp-${link}`} role="status" title={long}>
      <span class="dot" aria-hidden="true" />
      {short}
    </p>
  );
}

function useTitle(route: Route, { status }: Watched): void {
  const place = status?.workspace.root.split('/').at(-1);
  const file = route.view === 'file' ? route.path.split('/').at(-1) : undefined;
  const about = route.open !== null ? `#${route.open}` : route.query || file || names[route.view];
  useEffect(() => {
    // A session has its headline as the title, once it is there.
    if (route.view !== 'session')
      document.title = visibleText([about, place, 'memd'].filter(Boolean).join(' · '));
  }, [about, place, route.view]);
}

/** The fragment is the route, so this is no link. */
function skip(): void {
  document.getElementById('main')?.focus();
}
