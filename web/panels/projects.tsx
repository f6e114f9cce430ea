import { api } from '../api.ts';
import { Copy } from '../parts/copy.tsx';
import { useLoad, useNow } from '../parts/hooks.ts';
import { Plain } from '../parts/plain.tsx';
import { Failed, Loading } from '../parts/states.tsx';
import { home, writeRoute } from '../route.ts';
import type { Project } from '../shapes.ts';
import { ago } from '../text/words.ts';

/** The memories of this namespace. Each has its own page, which a command opens: no page holds the way into another. */
export function Projects() {
  const loaded = useLoad('projects', (signal) => api.projects(signal));
  const nowMs = useNow();
  return (
    <section class="page-column projects" aria-labelledby="projects-title">
      <header class="session-head">
        <h2 id="projects-title">All projects</h2>
        <p class="session-line">
          <span>
            Each project has its own memory and its own page. The command opens the page of a project, and
            starts the daemon if it is off.
          </span>
        </p>
      </header>
      {loaded.error !== null && <Failed what="The projects" error={loaded.error} again={loaded.again} />}
      {loaded.value === null && loaded.error === null && <Loading what="the projects" lines={5} />}
      <ul class="open-list">
        {(loaded.value ?? []).map((project) => (
          <Row key={project.key} project={project} nowMs={nowMs} />
        ))}
      </ul>
    </section>
  );
}

function Row({ project: { root, isHere, isServed, changedMs }, nowMs }: { project: Project; nowMs: number }) {
  const changed = changedMs === null ? 'never' : ago(new Date(changedMs).toISOString(), nowMs);
  const command = `cd ${quotedForShell(root)} && memd web`;
  return (
    <li class="project">
      <Plain as="span" class="session-title" text={root.split('/').at(-1) ?? root} />
      <Plain as="code" text={root} />
      <span class="quiet">last write {changed}</span>
      {isHere && <a href={writeRoute(home)}>this page</a>}
      {!isHere && (
        <span class={isServed ? 'flag running' : 'flag'}>{isServed ? 'running' : 'daemon off'}</span>
      )}
      {!isHere && (
        <span class="project-command">
          <Plain as="kbd" text={command} /> <Copy what="command" text={command} />
        </span>
      )}
    </li>
  );
}

/** A path as one word of a shell, whatever is in it. */
function quotedForShell(path: string): string {
  return /^[\w@%+=:,./-]+$/.test(path) ? path : `'${path.replaceAll("'", `'\\''`)}'`;
}
