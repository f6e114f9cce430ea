import fs from 'node:fs';
import { root } from '../../scripts/ready.mjs';
import { temporaryPlace } from '../place.mjs';

/** memd in a temporary home, in the shape that `compare.mjs` measures. */
export function openMemd() {
  const place = temporaryPlace();
  place.memd('init');
  place.memd('start');
  return {
    name: 'memd',
    version: JSON.parse(fs.readFileSync(`${root}package.json`, 'utf8')).version,
    project: place.project,
    env: place.env,
    hook: `node "${root}dist/capture-observation.cjs"`,
    /** Claude Code waits for the hook. */
    isAsync: false,
    data: `${place.folder}/home`,
    pid: () => place.info().daemon.pid,
    url: () => place.info().http?.url,
    pages: ['/', '/api/status', '/api/summaries', '/api/sessions', '/api/stream'],
    start: () => place.memd('start'),
    stored: () => place.info().counts.events,
    end: () => place.end(),
  };
}
