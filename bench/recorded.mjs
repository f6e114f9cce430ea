// Recorded sessions for a bench's daemon: its settings, transcripts as a folder, and further calls of a repository.
import fs from 'node:fs';
import { gunzipSync, constants as zlib } from 'node:zlib';

/** The transcripts and the names of their repositories. */
export const repositories = {
  'context-evaluator': 'PackmindHub+context-evaluator',
  'entire-cli': 'entireio+cli',
};

/** A daemon that summarises only when it is asked, with its own means. */
export function configure(place, more = {}) {
  place.memd('init');
  place.env.LOCALLLM_HOST = 'http://127.0.0.1:9';
  const file = `${place.folder}/home/.memd/default/config.json`;
  const settings = {
    ...JSON.parse(fs.readFileSync(file, 'utf8')),
    'drain.backend': 'builtin',
    'drain.tickMs': 86_400_000,
    'retention.payloadDays': 100_000,
    ...more,
  };
  fs.writeFileSync(file, JSON.stringify(settings));
}

/** As a folder that backfill reads in the order of their first lines' times. */
export function transcripts(data, project, folder) {
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
export function furtherCalls(data, project) {
  const file = `${data}/code-memory/docs.${repositories[project]}.jsonl.gz`;
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
