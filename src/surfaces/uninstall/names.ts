import { halfMadeBy } from '../../core/platform/index.ts';

/** The names of memd's files: `running` ones are needed only while memd runs, `kept` ones are the memory. Other names are foreign. */
export type Worth = 'running' | 'kept';

/** Directly below `~/.memd`. */
export function inBase(name: string): Worth | null {
  return name === 'auth.token' || /^auth\.token\.[0-9a-f]+\.\d+\.tmp$/.test(name) ? 'running' : null;
}

/** In a namespace's folder. */
export function inNamespace(name: string): Worth | null {
  if (name === 'config.json') return 'kept';
  // `message-hooks.CLIENT` is of an earlier version.
  return /^(?:message-hooks\.[\w-]+|health\.ndjson(?:\.1)?|(?:health\.ndjson|config\.json)\.\d+\.tmp)$/.test(
    name,
  )
    ? 'running'
    : null;
}

/** In a namespace's folder of logs. */
export function inLogs(name: string): Worth | null {
  return /^[a-z0-9-]{1,24}-[0-9a-f]{12}\.ndjson(?:\.\d+)?$/.test(name) ? 'running' : null;
}

/** In a workspace's folder. */
export function inWorkspace(name: string): Worth | null {
  if (halfMadeBy(name) !== null || running.some((one) => one.test(name))) return 'running';
  return kept.some((one) => one.test(name)) ? 'kept' : null;
}

/** In the folder of `memd sync`. The copy of the remote below it can be made again. */
export function inSync(name: string): Worth | null {
  if (name === 'sync.json') return 'kept';
  return halfMadeBy(name) !== null || /^lock(?:-(?:journal|wal|shm))?$/.test(name) ? 'running' : null;
}

const running: readonly RegExp[] = [
  /^(?:memd\.sock|run\.(?:pid|idle|waking)|http\.port|session-start\.(?:json|claim))$/,
  /^run\.lock(?:-(?:journal|wal|shm))?$/,
  /^memd-web\.[A-Za-z0-9._-]+\.[0-9a-f]{16}\.html$/,
  /^wal\.ndjson\.next$/,
  /^db\.sqlite\.salvaging(?:-(?:journal|wal|shm))?$/,
];

const kept: readonly RegExp[] = [
  // With SQLite's log and index, which another process may have open.
  /^db\.sqlite(?:\.schema-\d+\.backup|\.corrupt-[^-]+|\.salvaged|\.damaged)?(?:-(?:journal|wal|shm))?$/,
  /^wal(?:-damaged)?\.ndjson$/,
  /^wal\.ndjson\.replaced-\d+$/,
  /^spool\.(?:ndjson(?:\.taking|\.scrubbing)?|dropped)$/,
  /^restore-\d{8}T\d{6}\.\d{3}Z\.ndjson$/,
  /^(?:root|identity\.json)$/,
  // Of a project that was moved here, if it had a file of this name.
  /^[\w.-]+\.adopted$/,
];
