/**
 * A year of use against a real daemon: 100,000 calls with times spread over a year, month by month, with stops and kills, a model
 * that goes away and comes back, calls of a wrong clock; then retention by age and by size during captures and searches, an idle
 * daemon, and one that leaves. Prints a table of what was promised and what was measured.
 *   npm run bench:year -- [--events 100000] [--idle 300] [--keep FOLDER] [--from DB,DB]
 * Calls are the real ones of MEMD_DATA (default ../shared/data), each repeated as often as needed under another session; without
 * that folder they are made up. `--from`: the calls and messages of databases of memd, such as `memd backfill` fills. MEMD_DIST names another build. Linux only: it reads /proc.
 */
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { ensureBuilt, ensureInstalled, root } from '../scripts/ready.mjs';
import { quantile } from './place.mjs';
import { openYear } from './year/calls.mjs';
import { Household } from './year/household.mjs';
import { modelAt } from './year/model.mjs';
import { bytesOf } from './year/sizes.mjs';
import { slope } from './year/slope.mjs';

const option = (name, fallback) => {
  const at = process.argv.indexOf(`--${name}`);
  return at < 0 ? fallback : process.argv[at + 1];
};
const wanted = Number(option('events', 100_000));
const idleSeconds = Number(option('idle', 300));
const keep = option('keep', null);
if (process.env.MEMD_DIST === undefined) {
  ensureInstalled();
  ensureBuilt();
}
const dist = process.env.MEMD_DIST ?? `${root}dist`;
const data = path.resolve(process.env.MEMD_DATA ?? `${root}../shared/data`);
/** Working hours of a year: by them a slope over calls becomes one over time. */
const hoursPerYear = 2_000;
const months = 12;
const checks = [];

const databases = option('from', '').split(',').filter(Boolean);
const year = openYear(data, wanted, databases);
const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'memd-bench-year-'));
const model = await modelAt(folder);
const home = new Household({ dist, model: model.url, folder });
try {
  await main();
} finally {
  home.end();
  await model.close();
  if (keep === null) fs.rmSync(folder, { recursive: true });
  else fs.renameSync(folder, keep);
}

async function main() {
  say(
    `machine: ${os.cpus().length} cores, Node ${process.version}, ${new Date().toISOString().slice(0, 10)}`,
  );
  say(`calls: ${wanted}, ${year.source}\n`);
  home.start();
  const growth = await liveThrough();
  const sizes = bytesOf(home.database);
  check(
    'every call once',
    `${wanted} events`,
    `${sizes.events} events, ${sizes.summaries} summaries`,
    sizes.events === wanted && sizes.summaries === wanted,
  );
  const perSummary = sizes.others / sizes.summaries;
  check(
    'database without payloads',
    'under 1.2 KB a summary',
    `${Math.round(perSummary)} bytes (${list(sizes.parts, sizes.summaries)})`,
    perSummary < 1_200,
  );
  say(
    `payloads: ${mib(sizes.payloadBytes)} of text in ${mib(sizes.payloadPages)} of pages; the file ${mib(sizes.file)}\n`,
  );
  judgeGrowth(growth);
  await retain('by age, 180 days', { 'retention.payloadDays': 180 }, sizes);
  const afterAge = bytesOf(home.database);
  const limit = Math.max(1, Math.round((afterAge.used * 0.7) / 2 ** 20));
  await retain(
    `by size, ${limit} MiB`,
    { 'retention.payloadDays': 180, 'retention.databaseMiB': limit },
    afterAge,
  );
  await quiet();
  await leave();
  table();
}

/** Month by month; answers what was seen of the daemon at the end of each. */
async function liveThrough() {
  const seen = [];
  for (let month = 0; month < months; month += 1) {
    const calls = year.month(month, months);
    // The model is there from the third month on, and away in the fifth.
    if (month === 2) await model.open();
    if (month === 4) await model.close();
    if (month === 5) await model.open();
    if (month === 6) await model.close();
    const began = performance.now();
    const times = await home.captureAll(calls);
    await home.drained();
    const state = home.look();
    seen.push({ month, sent: year.sent, ...state });
    say(
      `month ${month + 1}: ${calls.length} calls, ack p99 ${p99(times).toFixed(1)} ms, all in ${Math.round((performance.now() - began) / 1000)} s; ` +
        `RSS ${state.rssMiB} MiB, ${state.descriptors} descriptors, ${state.threads} threads, ${state.children} children, logs ${mib(state.logBytes)}, database ${mib(state.databaseBytes)}`,
    );
    // In the first half a stop or a kill a month; then one daemon for the rest of the year.
    if (month < months / 2) {
      if (month % 2 === 0) home.restart();
      else await home.killAndStart();
    }
  }
  return seen;
}

function judgeGrowth(seen) {
  const last = seen.slice(months / 2);
  const perCall = slope(last.map(({ sent, rssKiB }) => [sent, rssKiB]));
  const perHour = (perCall * (wanted / hoursPerYear)) / 1024;
  check(
    'memory over the second half-year',
    'under 1 MB an hour',
    `${perHour.toFixed(3)} MiB/h: ${perCall.toFixed(3)} KiB a call by regression over ${last.length} months of one daemon, ${wanted / hoursPerYear} calls an hour (${hoursPerYear} working hours)`,
    perHour < 1,
  );
  const descriptors = last.map((one) => one.descriptors);
  check('descriptors', 'no growth', descriptors.join(' '), descriptors.at(-1) <= descriptors[0] + 2);
  check(
    'child processes',
    'none but the daily look through the database',
    `${home.childrenSeen} seen in ${home.looks} looks`,
    home.childrenSeen === 0,
  );
  const logs = Math.max(...seen.map(({ logBytes }) => logBytes));
  check('logs', 'bounded (3 x 5 MiB)', mib(logs), logs <= 15 * 2 ** 20);
}

/** A run of retention during captures and searches, held against the same without it. */
async function retain(name, config, before) {
  home.restart({ 'retention.payloadDays': 100_000 });
  await home.storm(5_000, () => false);
  const calm = await home.storm(30_000, () => false);
  const lines = home.retentions();
  home.restart(config);
  // The first searches load the vectors: not retention's doing.
  await home.storm(5_000, () => home.retentions() > lines);
  const busy = await home.storm(900_000, () => home.retentions() > lines);
  home.checkpoint();
  const after = bytesOf(home.database);
  const retention = home.lastRetention();
  say(
    `${name}: ${JSON.stringify(retention)}; file ${mib(before.file)} -> ${mib(after.file)}, payload text ${mib(before.payloadBytes)} -> ${mib(after.payloadBytes)}, free pages ${after.freePages}`,
  );
  say(
    `  capture p50/p99/max ${figures(calm.captures)} before, ${figures(busy.captures)} during; search ${figures(calm.searches)} before, ${figures(busy.searches)} during\n`,
  );
  check(`${name}: memories`, 'all stay', `${after.summaries}`, after.summaries >= before.summaries);
  check(`${name}: file`, 'smaller', `${mib(before.file)} -> ${mib(after.file)}`, after.file < before.file);
  check(
    `${name}: capture p99 during it`,
    'under 50 ms',
    `${p99(busy.captures).toFixed(1)} ms (${p99(calm.captures).toFixed(1)} without)`,
    p99(busy.captures) < 50,
  );
  check(
    `${name}: search p99 during it`,
    'not blocked',
    `${p99(busy.searches).toFixed(1)} ms (${p99(calm.searches).toFixed(1)} without)`,
    p99(busy.searches) < 2 * p99(calm.searches) + 50,
  );
  check(`${name}: integrity`, 'ok', home.integrity(), home.integrity() === 'ok');
}

async function quiet() {
  // Idle is who has nothing left to do: neither digests of a year's sessions, nor payloads over a limit.
  home.restart({ 'retention.payloadDays': 100_000, 'retention.databaseMiB': 1_024 });
  await home.drained();
  await home.digested();
  home.restart({ 'drain.tickMs': 30_000 });
  await pause(120_000);
  const { cpu, wakes, slopeKiB, rssMiB } = await home.idle(idleSeconds);
  check(
    'idle processor time',
    'under 0.1 %',
    `${cpu.toFixed(3)} % over ${idleSeconds} s, ${wakes.toFixed(1)} wake-ups a second (all threads)`,
    cpu < 0.1,
  );
  check(
    'idle memory',
    'under 1 MB an hour',
    `${((slopeKiB * 3_600) / 1024).toFixed(2)} MiB/h by regression over ${idleSeconds} s, at ${rssMiB} MiB`,
    (slopeKiB * 3_600) / 1024 < 1,
  );
}

async function leave() {
  home.restart({ idleMinutes: 0.05 });
  const gone = await home.left(20_000);
  check('one that nobody asks', 'leaves', gone ? 'left' : 'stayed', gone);
  home.sessionStart();
  check(
    'a session’s start',
    'brings it back, one process',
    `${home.daemons()} process`,
    home.daemons() === 1,
  );
}

function check(what, promised, found, holds) {
  checks.push([what, promised, found, holds ? 'ok' : 'NO']);
}

function table() {
  const rows = [['check', 'promised', 'measured', ''], ['---', '---', '---', '---'], ...checks];
  for (const row of rows) console.log(`| ${row.join(' | ')} |`);
  if (checks.some((row) => row[3] !== 'ok')) process.exitCode = 1;
}

function list(parts, summaries) {
  return Object.entries(parts)
    .map(([name, bytes]) => `${name} ${Math.round(bytes / summaries)}`)
    .join(', ');
}

function figures(times) {
  return `${[0.5, 0.99, 1].map((q) => (quantile(times, Math.min(q, 0.999_999)) ?? 0).toFixed(1)).join('/')} ms (${times.length})`;
}

/** Of a small run, retention may be over before any capture or search. */
function p99(times) {
  return quantile(times, 0.99) ?? 0;
}

function mib(bytes) {
  return `${(bytes / 2 ** 20).toFixed(1)} MiB`;
}

function say(line) {
  console.log(line);
}

function pause(ms) {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
