/** `running`: needed only while memd runs. `kept`: the memory. `folder`: of memd. Other names are foreign. */
export type Worth = 'running' | 'kept';
export type Place = Worth | 'folder';

const half = String.raw`[^/]+\.\d+\.tmp(?:-journal|-wal|-shm)?`;
// SQLite's log and index, which another process may have open.
const side = '(?:-(?:journal|wal|shm))?';
const workspace = '[^/]+/workspaces/[a-z0-9-]{1,24}-[0-9a-f]{12}';

/** Paths below `~/.memd`; the first that fits counts. */
const places = (
  [
    ['running', String.raw`auth\.token(?:\.[0-9a-f]+\.\d+\.tmp)?`],
    ['kept', String.raw`[^/]+/config\.json`],
    // `message-hooks.CLIENT` is of an earlier version.
    [
      'running',
      String.raw`[^/]+/(?:message-hooks\.[\w-]+|health\.ndjson(?:\.1)?|(?:health\.ndjson|config\.json)\.\d+\.tmp)`,
    ],
    ['running', String.raw`[^/]+/logs/[a-z0-9-]{1,24}-[0-9a-f]{12}\.ndjson(?:\.\d+)?`],
    ['running', `${workspace}/(?:sync/)?${half}`],
    [
      'running',
      String.raw`${workspace}/(?:memd\.sock|run\.(?:pid|idle|waking)|http\.port|session-start\.(?:json|claim))`,
    ],
    ['running', String.raw`${workspace}/(?:run\.lock|sync/lock|db\.sqlite\.salvaging)${side}`],
    ['running', String.raw`${workspace}/(?:memd-web\.[A-Za-z0-9._-]+\.[0-9a-f]{16}\.html|wal\.ndjson\.next)`],
    [
      'kept',
      String.raw`${workspace}/db\.sqlite(?:\.schema-\d+\.backup|\.corrupt-[^-/]+|\.salvaged|\.damaged)?${side}`,
    ],
    ['kept', String.raw`${workspace}/wal(?:-damaged\.ndjson|\.ndjson(?:\.replaced-\d+)?)`],
    [
      'kept',
      String.raw`${workspace}/(?:spool\.(?:ndjson(?:\.taking|\.scrubbing)?|dropped)|sync/sync\.json|root|identity\.json)`,
    ],
    ['kept', String.raw`${workspace}/restore-\d{8}T\d{6}\.\d{3}Z\.ndjson`],
    // Of a project that was moved here, if it had a file of this name.
    ['kept', String.raw`${workspace}/[\w.-]+\.adopted`],
    ['folder', `[^/]+(?:/(?:logs|workspaces))?|${workspace}(?:/sync)?`],
  ] as const
).map(([place, name]) => [place, new RegExp(`^(?:${name})$`)] as const);

/** Folders whose files are all of memd: those of hooks, and git's of `memd sync`, whose copy can be made again. */
const whole = new RegExp(`^(?:[^/]+/places|${workspace}/(?:front|sync/clone\\.git))(?:/|$)`);

/** What a path below `~/.memd` is; null for a foreign one. */
export function placeOf(name: string, isFolder: boolean): Place | null {
  if (whole.test(name)) return isFolder ? 'folder' : 'running';
  const known = places.find(([place, pattern]) => (place === 'folder') === isFolder && pattern.test(name));
  return known?.[0] ?? null;
}
