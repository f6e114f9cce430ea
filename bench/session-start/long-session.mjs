// What one long session costs: its account from nothing and an event later, outline and handoff behind it, and its page. Several builds
// run at the same time, each on its own memory of the same transcript, and are asked in turn.
import fs from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { gunzipSync, constants as zlib } from 'node:zlib';
import { root } from '../../scripts/ready.mjs';
import { openLine, quantile, temporaryPlace } from '../place.mjs';
import { openBrowser, openPage } from './page.mjs';

const { DatabaseSync } = createRequire(`${root}package.json`)('@photostructure/sqlite');
const session = '5e551014-0000-4000-8000-000000002000';

/** `tools`: `configure` and `quiet` of the benchmark that asks. */
export async function measureLong({ dists, data, events, rounds, tools }) {
  const browser = await openBrowser();
  const sides = [];
  try {
    for (const dist of dists) sides.push(await opened(dist, { data, events, tools }));
    const inTurn = async (work) => {
      for (let round = 0; round < rounds; round += 1)
        for (const side of round % 2 === 0 ? sides : sides.toReversed()) await work(side, round, tools);
    };
    await inTurn(ask);
    // Not before: an open page asks its daemon again after each event.
    if (browser !== null) {
      for (const side of sides) side.page = await openPage(browser, side.place, session);
      await inTurn(look);
    }
    print(sides);
  } finally {
    await browser?.close();
    for (const { place, line } of sides) {
      line?.close();
      place.end();
    }
  }
}

async function opened(dist, { data, events, tools }) {
  const place = temporaryPlace({ dist });
  tools.configure(place);
  place.memd('backfill', '--from', recorded(data, events, `${place.folder}/recorded`));
  place.memd('drain');
  const { counts, daemon } = place.info();
  const line = openLine(place.socket());
  return { dist, place, line, page: null, pid: daemon.pid, events: counts.events, found: new Map() };
}

/** A folder with one transcript: those of `data` in the order of their time, until they have `events` calls and messages. */
function recorded(data, events, to) {
  const files = fs
    .readdirSync(data, { recursive: true })
    .filter((name) => name.endsWith('.jsonl.gz'))
    .map((name) => gunzipSync(fs.readFileSync(path.join(data, name)), { finishFlush: zlib.Z_SYNC_FLUSH }))
    .map((text) => text.toString().split('\n').flatMap(parsed))
    .sort((one, other) => (startOf(one) < startOf(other) ? -1 : 1));
  let left = events;
  const lines = files.flat().flatMap(({ json, sessionId, message }) => {
    if (left <= 0 || sessionId === undefined) return [];
    const { content } = message ?? {};
    const blocks = Array.isArray(content) ? content : [{ type: typeof content === 'string' ? 'text' : '' }];
    left -= blocks.filter(({ type }) => type === 'tool_use' || type === 'text').length;
    return [json.replaceAll(sessionId, session)];
  });
  fs.mkdirSync(to);
  fs.writeFileSync(`${to}/${session}.jsonl`, `${lines.join('\n')}\n`);
  return to;
}

/** Nothing for a line that is malformed, as found. */
function parsed(json) {
  try {
    return [{ ...JSON.parse(json), json }];
  } catch {
    return [];
  }
}

function startOf(lines) {
  return lines.find(({ timestamp }) => timestamp !== undefined)?.timestamp ?? '';
}

/** Notes the time of `work` and the processor time of all that it sets going in the daemon. */
async function spend({ pid, found }, tools, what, work) {
  const before = await tools.quiet(pid);
  const began = performance.now();
  const answer = await work();
  const ms = typeof answer === 'number' ? answer : performance.now() - began;
  const processor = (await tools.quiet(pid)) - before;
  if (answer !== false) found.set(what, [...(found.get(what) ?? []), { ms, processor }]);
}

async function ask(side, round, tools) {
  const { place, line } = side;
  const rest = (id) => line.ask({ op: 'rest', session: id });
  const capture = (id) => line.ask(callOf(id, round, place.project));
  const later = async (id) => {
    await capture(id);
    await rest(id);
  };
  // As if it had never been read.
  sql(place, `UPDATE digests SET last_seq = 0 WHERE session_id = '${session}'`);
  await spend(side, tools, 'account, from nothing', () => rest(session));
  await spend(side, tools, 'account, one event later', () => later(session));
  await spend(side, tools, 'the same of a session of one event', () => later(`bench-${round}`));
  const outline = { op: 'outline', session: `new-${round}`, source: 'startup' };
  await spend(side, tools, 'outline', async () => (await line.ask(outline)).text !== '');
  const handoff = async () => (await line.ask({ op: 'handoff', session })).ok;
  await spend(side, tools, 'handoff', handoff);
}

async function look(side, _round, tools) {
  if (side.page === null) return;
  await spend(side, tools, 'page, the answers', () => side.page.answers());
  await side.page.leave();
  await spend(side, tools, 'page, whole header', () => side.page.header());
}

function callOf(sessionId, round, cwd) {
  const call = { tool: 'Bash', input: { command: `make part-${round}` }, output: 'made' };
  return { op: 'capture', ...call, toolUseId: `${sessionId}-${round}`, sessionId, cwd };
}

function sql(place, text) {
  const database = new DatabaseSync(`${path.dirname(place.socket())}/db.sqlite`, { timeout: 5_000 });
  database.exec(text);
  database.close();
}

function print(sides) {
  const [own] = sides;
  for (const [what, times] of own.found) {
    console.log(`\n${what}`);
    const most = middle(times);
    for (const { dist, events, found } of sides) {
      const others = found.get(what);
      if (others === undefined) {
        console.log(`  -  ${dist}`);
        continue;
      }
      const { ms, processor, least } = middle(others);
      const ratio = (most.processor / processor).toFixed(2);
      console.log(
        `  p50 ${ms.toFixed(0)} ms, least ${least.toFixed(0)}; processor p50 ${processor.toFixed(0)} ms; ${ratio} x  ${dist} (${events} events)`,
      );
    }
  }
}

function middle(times) {
  const all = times.map(({ ms }) => ms);
  const processor = quantile(
    times.map((one) => one.processor),
    0.5,
  );
  return { ms: quantile(all, 0.5), least: Math.min(...all), processor };
}
