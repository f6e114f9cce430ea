/**
 * What summarising 1,000 events asks of a model: calls, and tokens by memd's own estimate (three bytes each), with the local
 * and with the hosted backend, through a whole drain against a model server in this process. Nothing is paid and no model runs:
 * the answers are the test server's, about as long as real ones.
 * `node bench/models.mjs`; with a folder of Claude Code transcripts in `MEMD_DATA/transcripts` (default ../shared/data) the events are
 * from there, at most 50 a file, else made up.
 */
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { ensureInstalled, root } from '../scripts/ready.mjs';
import { loadRooms } from './rooms.mjs';

const eventsWanted = 1_000;
const perFileMax = 50;
const apiKey = 'bench-key-0123456789-0123456789';
const data = path.resolve(root, process.env.MEMD_DATA ?? '../shared/data', 'transcripts');

ensureInstalled();
// The rooms, with the test's model server.
const rooms = `
  export { prepare } from './src/capture/intake/index.ts';
  export { readTranscript } from './src/capture/clients/index.ts';
  export { loadConfig } from './src/core/config/index.ts';
  export { Consolidator } from './src/memory/consolidate/index.ts';
  export { openStore, payloadOf } from './src/memory/store/index.ts';
  export { costMicroUsd } from './src/memory/summarise/index.ts';
  export { estimateTokens } from './src/memory/summarise/fence.ts';
  export { startModelServer } from './test/model-server.ts';`;
const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'memd-bench-models-'));
try {
  await main(await loadRooms(folder, rooms));
} finally {
  fs.rmSync(folder, { recursive: true, force: true });
}

async function main(memd) {
  const real = await realEvents(memd);
  const events = real.length === eventsWanted ? real : madeUp(memd);
  const chars = events.reduce((sum, event) => sum + JSON.stringify(memd.payloadOf(event)).length, 0);
  console.log(
    `${events.length} events, ${events === real ? 'real' : 'made up'}, ${Math.round(chars / events.length)} characters of payload on average\n`,
  );
  await measured(memd, events, 'local', (url) => ({ localllm: { endpoint: url } }));
  await measured(memd, events, 'hosted', (url) => ({
    localllm: { endpoint: 'http://127.0.0.1:9' },
    hostedllm: { endpoint: url, dailyTokenBudget: 1_000_000_000 },
  }));
}

async function measured(memd, events, backend, settings) {
  const server = await memd.startModelServer({ apiKey });
  const place = fs.mkdtempSync(path.join(os.tmpdir(), 'memd-bench-'));
  const store = memd.openStore(`${place}/db.sqlite`);
  try {
    store.events.insert(events);
    fs.writeFileSync(`${place}/config.json`, JSON.stringify({ drain: { backend }, ...settings(server.url) }));
    const { config } = memd.loadConfig(`${place}/config.json`, {});
    const env = backend === 'hosted' ? { HOSTEDLLM_API_KEY: apiKey } : {};
    const consolidator = new memd.Consolidator({ store, config, env, report: () => {} });
    const { processed, firstError } = await consolidator.drain(null, new AbortController().signal);
    await consolidator.close();
    if (firstError !== undefined || processed !== events.length) {
      throw new Error(`only ${processed} of ${events.length} summarised: ${firstError}`);
    }
    report(memd, backend, server, store, config);
  } finally {
    store.close();
    await server.close();
    fs.rmSync(place, { recursive: true, force: true });
  }
}

function report(memd, backend, server, store, config) {
  const requests = server.requestsTo(backend === 'local' ? 'chat' : 'messages');
  const input = sum(requests.map(({ body }) => tokensIn(memd, body)));
  // The answers as they went over the wire: the summaries, with their terms, in JSON.
  const rows = store.connection.all('SELECT text, terms FROM summaries');
  const output = sum(rows.map((row) => memd.estimateTokens(JSON.stringify({ id: 10, ...row }))));
  const { length: events } = rows;
  const model = backend === 'local' ? config['localllm.model'] : config['hostedllm.model'];
  console.log(`${backend.padEnd(8)} ${model}`);
  console.log(`         ${((requests.length / events) * 1000).toFixed(0)} calls per 1,000 events`);
  console.log(
    `         ${Math.round(input / events)} tokens in and ${Math.round(output / events)} out per event (estimated)`,
  );
  const cost = memd.costMicroUsd(model, { inputTokens: input, outputTokens: output });
  if (cost !== null)
    console.log(
      `         $${((cost / 1e6 / events) * 1000).toFixed(2)} per 1,000 events at the published price`,
    );
}

function tokensIn(memd, body) {
  const texts = [body.system ?? '', ...body.messages.map(({ content }) => content)];
  return sum(texts.map((text) => memd.estimateTokens(text)));
}

function sum(numbers) {
  return numbers.reduce((total, one) => total + one, 0);
}

async function realEvents(memd) {
  if (!fs.existsSync(data)) return [];
  const files = fs.readdirSync(data, { recursive: true }).filter((name) => /\.jsonl(\.gz)?$/.test(name));
  const events = new Map();
  for (const file of files.sort()) {
    let taken = 0;
    if (events.size >= eventsWanted) break;
    await memd.readTranscript(path.join(data, file), async (item) => {
      if (item.kind !== 'observation' || taken >= perFileMax || events.size >= eventsWanted) return;
      const { event } = memd.prepare(item.observation);
      events.set(event.id, event);
      taken += 1;
    });
  }
  return [...events.values()];
}

/** Reads, edits and commands in about the proportions and lengths of real sessions, always the same. */
function madeUp(memd) {
  let state = 1;
  const random = () => {
    state = (state * 48_271) % 2_147_483_647;
    return state / 2_147_483_647;
  };
  const line = () =>
    `  const value${Math.floor(random() * 999)} = await load('part-${Math.floor(random() * 99)}');\n`;
  const lines = (most) => Array.from({ length: Math.ceil(random() ** 2 * most) }, line).join('');
  return Array.from({ length: eventsWanted }, (_, at) => {
    const file = `src/part-${Math.floor(random() * 99)}.ts`;
    const kind = random();
    const call =
      kind < 0.4
        ? { tool: 'Read', input: { file_path: file }, output: lines(220) }
        : kind < 0.6
          ? {
              tool: 'Edit',
              input: { file_path: file, old_string: lines(12), new_string: lines(16) },
              output: 'The file has been updated.',
            }
          : { tool: 'Bash', input: { command: `npm test -- part-${at}` }, output: lines(90) };
    const rest = { sessionId: `s${Math.floor(at / 60)}`, client: 'claude-code', isError: random() < 0.05 };
    const ts = new Date(Date.UTC(2026, 0, 1) + at * 20_000).toISOString();
    return memd.prepare({ ...call, ...rest, toolUseId: `call-${at}`, ts, cwd: '/home/dev/project' }).event;
  });
}
