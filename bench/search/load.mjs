// A workspace's calls in a memory of their own, the product's own way: a daemon in a temporary home, every call captured
// through its socket, one drain; then questions through the same socket.
import fs from 'node:fs';
import { openLine, temporaryPlace } from '../place.mjs';
import { placeOf } from './orders.mjs';

/**
 * @param calls as `sets.mjs` gives them
 * @param backend `builtin`, `local` or `hosted`; the last two take their address and key from the environment
 * @param config further settings by their dotted names
 * @param dist the build to measure
 */
export function openMemory(calls, settings) {
  return open(settings, {
    fill: (ask) => captureAll(ask, calls),
    processed: calls.length,
  });
}

/** The same, filled from a folder of transcripts. */
export function openBackfilled(folder, settings) {
  return open(settings, { fill: (_ask, place) => place.memd('backfill', '--from', folder), processed: null });
}

async function open({ backend, config, dist }, { fill, processed }) {
  const place = temporaryPlace({ dist });
  const interrupted = () => {
    place.end();
    process.exit(130);
  };
  const end = () => {
    process.off('SIGINT', interrupted).off('SIGTERM', interrupted);
    place.end();
  };
  process.on('SIGINT', interrupted).on('SIGTERM', interrupted);
  try {
    place.memd('init');
    configure(place, backend, config);
    place.memd('start');
    const line = openLine(place.socket());
    /** @throws Error when the daemon refuses, with the last line of its log */
    const ask = async (request) => {
      const reply = await line.ask(request);
      if (reply.ok) return reply;
      throw new Error(`${request.op}: ${JSON.stringify(reply.error)}; the log ends: ${lastLogLine(place)}`);
    };
    const started = performance.now();
    const ids = await fill(ask, place);
    const captureMs = performance.now() - started;
    const drainMs = await timed(() => drain(ask, processed));
    const { info } = await ask({ op: 'info' });
    const named = (found) => ({ ...found, toolUseId: ids?.get?.(found.eventId) ?? found.toolUseId });
    const summaries = await allSummaries(ask, named);
    const recorded = new Set([...summaries.values()].map(({ toolUseId }) => toolUseId));
    return {
      counts: info.counts,
      backends: info.backends,
      captureMs,
      drainMs,
      /** @returns the whole reply: `hits`, and with `explain` the `legs` */
      search: async (request) => {
        const reply = await ask({ op: 'search', ...request });
        return { ...reply, hits: reply.hits.map(named) };
      },
      /** The text of each hit, whole: a message's own, a call's payload, a digest. */
      textsOf: async (hits) => {
        const { summaries: found } = await ask({ op: 'get', ids: hits.map(({ id }) => id) });
        const texts = new Map(hits.map(({ id, text }) => [id, text]));
        for (const { id, kind, payload, text } of found)
          texts.set(
            id,
            kind === 'message' ? payload.output : kind === 'call' ? JSON.stringify(payload) : text,
          );
        return texts;
      },
      /** Whether a call of this id is in the memory. */
      has: (id) => recorded.has(id),
      /** The call that summary `id` describes, as a place in an order. */
      callOf: (id) => placeOf(summaries.get(id) ?? noCall),
      /** What the memory has of call `id`. */
      textOf: (id) =>
        [...summaries.values()].find(({ toolUseId }) => toolUseId === id)?.text ?? '(no memory)',
      close: () => {
        line.close();
        end();
      },
    };
  } catch (error) {
    end();
    throw error;
  }
}

function configure(place, backend, config) {
  const { env } = process;
  const models = {
    // Whatever runs on this machine has no part in it.
    builtin: { LOCALLLM_HOST: 'http://127.0.0.1:9' },
    local: { LOCALLLM_HOST: env.LOCALLLM_HOST },
    hosted: { HOSTEDLLM_API_KEY: env.HOSTEDLLM_API_KEY },
  };
  for (const [name, value] of Object.entries(models[backend]))
    if (value !== undefined) place.env[name] = value;
  const file = `${place.folder}/home/.memd/default/config.json`;
  const settings = {
    ...JSON.parse(fs.readFileSync(file, 'utf8')),
    'drain.backend': backend,
    topK: 200,
    // One drain, the one that is asked for; and calls of any year stay whole.
    'drain.tickMs': 86_400_000,
    'retention.payloadDays': 100_000,
    ...config,
  };
  fs.writeFileSync(file, JSON.stringify(settings));
}

/** One after the other, so that two runs give every call the same number. The given ids by those of the events: a message has no other. */
async function captureAll(ask, calls) {
  const ids = new Map();
  for (const { id, session: sessionId, ts, client, cwd, tool, role, isError, input, output } of calls) {
    const event =
      role === undefined
        ? { tool, input, output, toolUseId: id, isError, cwd }
        : { kind: 'message', role, text: output, messageId: id };
    const { id: eventId } = await ask({ op: 'capture', ...event, sessionId, ts, client });
    ids.set(eventId, id);
  }
  return ids;
}

async function drain(ask, wanted) {
  const { processed, firstError } = await ask({ op: 'drain' });
  if (firstError !== undefined)
    throw new Error(`drain: ${firstError} (${processed} of ${wanted ?? 'all'} events summarised)`);
}

/** Every summary by its id. */
async function allSummaries(ask, named) {
  const all = new Map();
  for (let before = null; ; ) {
    const { summaries } = await ask({ op: 'recent', limit: pageSummaries, before });
    for (const summary of summaries) all.set(summary.id, named(summary));
    if (summaries.length < pageSummaries) return all;
    before = summaries.at(-1).id;
  }
}

const pageSummaries = 500;

/** A digest. */
const noCall = { toolUseId: null, sessionId: null };

function lastLogLine(place) {
  const logs = `${place.folder}/home/.memd/default/logs`;
  const lines = fs
    .readdirSync(logs)
    .flatMap((file) => fs.readFileSync(`${logs}/${file}`, 'utf8').trim().split('\n'));
  return lines.at(-1);
}

async function timed(work) {
  const started = performance.now();
  await work();
  return performance.now() - started;
}
