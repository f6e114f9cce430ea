// The recorded sessions of a data folder as memories, one database for each project.
import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { gunzipSync, constants as zlib } from 'node:zlib';
import { openLine, temporaryPlace } from '../place.mjs';

const furtherCallsOf = { 'context-evaluator': 'PackmindHub+context-evaluator', 'entire-cli': 'entireio+cli' };

/** The projects of a data folder. */
export function projectsOf(data) {
  const folders = (below) =>
    fs
      .readdirSync(`${data}/${below}`, { withFileTypes: true })
      .filter((entry) => entry.isDirectory())
      .map(({ name }) => name);
  return [...folders('transcripts'), ...folders('sessions')];
}

/** Writes the database of a project, or of the events `own`, to `file`, summarised by memd itself. */
export async function lay({ data, project, dist, file, own }) {
  const place = temporaryPlace({ dist });
  try {
    configure(place);
    if (data === null) place.memd('start');
    else if (fs.existsSync(`${data}/transcripts/${project}`)) {
      place.memd('start');
      place.memd('backfill', '--from', transcripts(data, project, place.folder));
    } else {
      const where = [project, '--home', `${place.folder}/home`, '--root', place.project];
      execFileSync('python3', [`${data}/sessions/lay.py`, ...where], { stdio: 'ignore' });
      place.memd('start');
      place.memd('backfill');
    }
    const line = openLine(place.socket());
    for (const call of data === null ? own : furtherCalls(data, project))
      await line.ask({ op: 'capture', ...call });
    const { firstError } = await line.ask({ op: 'drain' });
    if (firstError !== undefined) throw new Error(`drain: ${firstError}`);
    line.close();
    const stored = path.join(path.dirname(place.socket()), 'db.sqlite');
    place.memd('stop');
    fs.copyFileSync(stored, file);
  } finally {
    place.end();
  }
}

function configure(place) {
  place.memd('init');
  place.env.LOCALLLM_HOST = 'http://127.0.0.1:9';
  const file = `${place.folder}/home/.memd/default/config.json`;
  const settings = {
    ...JSON.parse(fs.readFileSync(file, 'utf8')),
    'drain.backend': 'builtin',
    'drain.tickMs': 86_400_000,
    'retention.payloadDays': 100_000,
  };
  fs.writeFileSync(file, JSON.stringify(settings));
}

/** As a folder that backfill reads in the order of their first lines' times. */
function transcripts(data, project, folder) {
  const from = `${data}/transcripts/${project}`;
  const to = `${folder}/transcripts`;
  fs.mkdirSync(to);
  const texts = fs
    .readdirSync(from)
    .filter((name) => name.endsWith('.gz'))
    .map((name) => ({
      name,
      text: gunzipSync(fs.readFileSync(`${from}/${name}`), { finishFlush: zlib.Z_SYNC_FLUSH }).toString(),
    }))
    .map((one) => ({ ...one, ts: /"timestamp":"([^"]+)"/.exec(one.text)?.[1] ?? '' }))
    .sort((one, other) => (one.ts < other.ts ? -1 : 1));
  for (const [at, { name, text }] of texts.entries())
    fs.writeFileSync(`${to}/${String(at).padStart(4, '0')}-${name.replace(/\.gz$/, '')}`, text);
  return to;
}

/** Calls of the same repository that no transcript here has; those that one has are known by their ids. */
function furtherCalls(data, project) {
  const file = `${data}/code-memory/docs.${furtherCallsOf[project]}.jsonl.gz`;
  if (!fs.existsSync(file)) return [];
  return gunzipSync(fs.readFileSync(file))
    .toString()
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line))
    .sort((one, other) => (one.ts < other.ts ? -1 : 1))
    .map(({ id, session, ts, agent, tool, is_error, input, output }) => ({
      ...{ tool, input, output: output ?? '', sessionId: session, toolUseId: id },
      ...{ ts, isError: is_error === true, client: agent, cwd: null },
    }));
}
