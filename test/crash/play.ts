import fs from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import type { Home } from '../support/home.ts';
import { restOfHooks } from '../support/processes.ts';
import { until } from '../support/until.ts';
import { Daemon } from './daemon.ts';
import { flipByte, losePower } from './disk.ts';
import { forgetAgain, forgetOne } from './forget.ts';
import { nameIn, Record, runHooks, sendLoad, turnOf } from './load.ts';
import type { Plan, Round } from './plan.ts';
import { Random } from './random.ts';
import { followed, sendStop, writeReplies } from './transcript.ts';

const lingerMs = 10;
const lingerLooks = 30;

export interface Played {
  readonly sent: number;
  readonly acknowledged: number;
  /** Events that went through a hook. */
  readonly hooked: number;
  /** Rounds that ended by their fault, not by the harness. */
  readonly killed: number;
  readonly rounds: number;
  /** What was promised and not kept, in words; nothing is as it should be. */
  readonly broken: readonly string[];
}

/** Plays a plan in a home of its own: rounds of load and death, then a last start that must have kept everything. */
export async function play(plan: Plan, home: Home): Promise<Played> {
  const random = new Random(plan.seed ^ 0x5eed);
  const record = new Record();
  const excused = new Set<string>();
  const broken: string[] = [];
  let killed = 0;
  for (const [at, round] of plan.rounds.entries()) {
    const daemon = Daemon.spawn(home, round.faults);
    const name = `s${plan.seed}-r${at}`;
    let hooks = Promise.resolve();
    const isDead = await suffers(daemon, home, round, async () => {
      hooks = runHooks(home, round, name, record, plan.seed + at);
      writeReplies(home, name, record);
      await sendStop(home);
      return sendLoad(home.workspace().socket, round, name, record, plan.seed + at);
    });
    // Some hooks meet the daemon's end, and their rest the next start.
    const end = await daemon.end('SIGKILL');
    await hooks;
    if (isDead && end === 'SIGKILL') killed += 1;
    // A fault at the start may be reported as a refusal. Any other end is an error.
    if (end !== 'SIGKILL' && end !== 'exit 1') broken.push(`a daemon ended by ${end}: ${daemon.stderr}`);
    if (round.disk === 'power loss') losePower(home, random);
    if (round.disk === 'flip') for (const call of flipByte(home, random)) excused.add(call);
  }
  await forgetOne(home, random, record);
  broken.push(...(await lastStart(home, plan, record)), ...compare(home, record, excused));
  return {
    broken,
    killed,
    sent: record.sent.size,
    acknowledged: record.acknowledged.size,
    hooked: record.taken.size,
    rounds: plan.rounds.length,
  };
}

/** Whether the daemon has died of its fault: at its start, under the load, or soon behind it. */
async function suffers(
  daemon: Daemon,
  home: Home,
  round: Round,
  load: () => Promise<boolean>,
): Promise<boolean> {
  if (!(await daemon.ready())) return true;
  const isAlive = await load();
  if (!isAlive) {
    await daemon.gone();
    return true;
  }
  const { log } = home.workspace();
  for (let look = 0; round.linger && look < lingerLooks; look += 1) {
    if (daemon.hasEnded) return true;
    if (fs.statSync(log, { throwIfNoEntry: false })?.size === 0) break;
    await pause(lingerMs);
  }
  return daemon.hasEnded;
}

/** A start without faults: it answers, captures, empties its log and ends in order. */
async function lastStart(home: Home, plan: Plan, record: Record): Promise<string[]> {
  const daemon = Daemon.spawn(home, '');
  const broken: string[] = [];
  if (!(await daemon.ready()))
    return [`the last daemon did not start: ${await daemon.ended} ${daemon.stderr}`];
  const { socket, log } = home.workspace();
  const after: Round = {
    clients: 2,
    calls: 3,
    hooks: 0,
    outputMax: 100,
    faults: '',
    resend: false,
    linger: false,
    disk: 'nothing',
  };
  const before = record.acknowledged.size;
  await sendLoad(socket, after, `s${plan.seed}-after`, record, plan.seed);
  if (record.acknowledged.size !== before + 6) broken.push('the last daemon refused a capture');
  writeReplies(home, `s${plan.seed}-after`, record);
  await sendStop(home);
  await until('the transcript', () => followed(home) === record.said.size);
  await until('the rest of all hooks', () => restOfHooks(home.folder).length === 0);
  await home.ask({ op: 'spooled' });
  broken.push(...(await forgetAgain(home, record)));
  const reply = await home.ask({ op: 'info' });
  if (reply.ok !== true) broken.push(`info: ${JSON.stringify(reply)}`);
  await until('an empty log', () => fs.statSync(log).size === 0);
  const end = await daemon.end('SIGTERM');
  if (end !== 'exit 0') broken.push(`the last daemon ended by ${end}: ${daemon.stderr}`);
  // This process has read the database, and may not have let go of its side files yet.
  const known = /^(db\.sqlite(-wal|-shm)?|identity\.json|run\.lock|root|wal\.ndjson|wal-damaged\.ndjson)$/;
  const litter = fs.readdirSync(home.workspace().folder).filter((name) => !known.test(name));
  if (litter.length > 0) broken.push(`left behind: ${litter.join(', ')}`);
  return broken;
}

/** The record against the store, and the store against itself. */
function compare(home: Home, record: Record, excused: ReadonlySet<string>): string[] {
  const broken: string[] = [];
  const stored = new Map<string, number>();
  for (const row of home.rows('SELECT turn_id, session_id, payload_json FROM events')) {
    const payload: { output: string } = JSON.parse(String(row.payload_json));
    const call = nameIn(payload.output);
    stored.set(call, (stored.get(call) ?? 0) + 1);
    if (record.forgotten.has(call)) broken.push(`${call} was forgotten and is stored`);
    if (record.said.has(call)) {
      if (record.said.get(call) !== payload.output) broken.push(`${call} is not stored as it was said`);
      continue;
    }
    if (row.turn_id !== turnOf(call)) broken.push(`${call} is not the kind of event that was sent`);
    if (!record.sent.has(call)) broken.push(`${call} was never sent`);
    else if (payload.output !== record.sent.get(call)) broken.push(`${call} is not stored as it was sent`);
  }
  for (const call of record.acknowledged) {
    if (!stored.has(call) && !excused.has(call) && !record.forgotten.has(call))
      broken.push(`${call} was acknowledged and is lost`);
  }
  for (const call of record.taken) {
    if (!stored.has(call) && !excused.has(call) && !record.forgotten.has(call))
      broken.push(`${call} was taken by a hook and is lost`);
  }
  for (const call of record.said.keys()) if (!stored.has(call)) broken.push(`${call} was said and is lost`);
  for (const [call, times] of stored) if (times > 1) broken.push(`${call} is stored ${times} times`);
  const [check] = home.rows('PRAGMA integrity_check');
  if (check?.integrity_check !== 'ok') broken.push(`integrity_check: ${JSON.stringify(check)}`);
  for (const { msg, error } of home.daemonLog()) {
    if (msg === 'the daemon cannot go on' || msg.includes('database was damaged')) {
      broken.push(`${msg}: ${error}`);
    }
  }
  return broken;
}
