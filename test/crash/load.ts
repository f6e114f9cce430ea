import path from 'node:path';
import type { JsonObject } from '#core/event';
import { dist, type Home } from '../support/home.ts';
import { run } from '../support/run.ts';
import { Wire } from '../support/wire.ts';
import type { Round } from './plan.ts';
import { Random } from './random.ts';

/** What was sent and what was acknowledged, as seen from outside: no daemon can lose this. */
export class Record {
  /** By the id of a call or message: its output or text. */
  readonly sent = new Map<string, string>();
  readonly acknowledged = new Set<string>();
  /** What hooks have taken from the assistant: stored by the daemon, or queued by the process that goes on behind the hook. */
  readonly taken = new Set<string>();
  /** By name: the replies in the transcript. */
  readonly said = new Map<string, string>();
  /** Messages that were forgotten: they must not return. */
  readonly forgotten = new Set<string>();

  unacknowledged(): string[] {
    return [...this.sent.keys()].filter((name) => !this.acknowledged.has(name));
  }
}

/**
 * Several clients at once, each sending its calls, until all are answered or the daemon is gone. Answers whether it
 * lives, as they see it.
 */
export async function sendLoad(
  socket: string,
  round: Round,
  name: string,
  record: Record,
  seed: number,
): Promise<boolean> {
  const random = new Random(seed);
  const again = round.resend ? record.unacknowledged() : [];
  const loads = Array.from({ length: round.clients }, (_, client) => {
    const fresh = Array.from({ length: round.calls }, (_unused, at) => `${name}-c${client}-${at}`);
    for (const call of fresh) record.sent.set(call, outputOf(call, random.whole(0, round.outputMax)));
    return [...again.filter((_call, at) => at % round.clients === client), ...fresh];
  });
  const alive = await Promise.all(loads.map((calls) => sendCalls(socket, calls, random.whole(1, 4), record)));
  return alive.every(Boolean);
}

/**
 * An assistant's hooks, as `memd install` registers them, two at the same time, whatever the daemon goes through meanwhile. Each must
 * end with 0 and keep its event.
 */
export async function runHooks(
  home: Home,
  round: Round,
  name: string,
  record: Record,
  seed: number,
): Promise<void> {
  const random = new Random(seed);
  const names = Array.from({ length: round.hooks }, (_, at) => `${name}-hook-${at}`);
  for (const one of names) record.sent.set(one, outputOf(one, random.whole(0, round.outputMax)));
  const [first, second] = [0, 1].map((half) => names.filter((_one, at) => at % 2 === half));
  await Promise.all([first, second].map((part) => runInTurn(home, part ?? [], record)));
}

async function runInTurn(home: Home, names: readonly string[], record: Record): Promise<void> {
  const script = path.join(dist, 'capture-observation.sh');
  for (const name of names) {
    const input = JSON.stringify(payloadOf(name, record.sent.get(name) ?? ''));
    const options = { cwd: home.project, env: home.env(), input };
    const ran = await run('/bin/sh', [script, process.execPath, '--client', 'claude-code'], options);
    if (ran.code !== 0 || ran.stderr.includes('not captured'))
      throw new Error(`a hook: ${JSON.stringify(ran)}`);
    record.taken.add(name);
    if (ran.stdout !== '') record.acknowledged.add(name);
  }
}

function payloadOf(name: string, text: string): JsonObject {
  const session = { session_id: 'hooked', hook_event_name: 'UserPromptSubmit' };
  const turnId = turnOf(name);
  if (turnId !== null) return { ...session, prompt_id: turnId, prompt: text };
  const call = { tool_name: 'Read', tool_input: { file_path: `${name}.txt` }, tool_response: text };
  return { ...session, hook_event_name: 'PostToolUse', tool_use_id: name, ...call };
}

/** Sends calls with at most `ahead` of them unanswered. */
async function sendCalls(
  socket: string,
  calls: readonly string[],
  ahead: number,
  record: Record,
): Promise<boolean> {
  let wire: Wire;
  try {
    wire = await Wire.open(socket);
  } catch {
    // Dead already: nothing of this client was sent, and nothing is acknowledged.
    return false;
  }
  const waiting: string[] = [];
  for (const call of calls) {
    wire.send(`${JSON.stringify(requestOf(call, record.sent.get(call) ?? ''))}\n`);
    waiting.push(call);
    if (waiting.length >= ahead && !(await takeAnswer(wire, waiting, record))) return false;
  }
  while (waiting.length > 0) if (!(await takeAnswer(wire, waiting, record))) return false;
  wire.close();
  return true;
}

/** Whether there was one; the connection ends with the daemon. */
async function takeAnswer(wire: Wire, waiting: string[], record: Record): Promise<boolean> {
  const line = await wire.line();
  const call = waiting.shift();
  if (line === null || call === undefined) return false;
  const reply: JsonObject = JSON.parse(line);
  if (reply.ok === true) record.acknowledged.add(call);
  else if (!/"(unavailable|busy)"/.test(line)) throw new Error(`an unexpected answer: ${line}`);
  return true;
}

export function requestOf(call: string, output: string): JsonObject {
  const turnId = turnOf(call);
  if (call.includes('-hook-') || (turnId !== null && numberOf(call) % 2 === 1)) {
    return { op: 'capture', client: 'claude-code', payload: payloadOf(call, output) };
  }
  if (turnId !== null) {
    const role = call.endsWith('0') ? 'user' : 'assistant';
    return { op: 'capture', kind: 'message', role, text: output, messageId: call, turnId };
  }
  return { op: 'capture', tool: 'Read', input: { file_path: `${call}.txt` }, output, toolUseId: call };
}

/** The turn of a message; null for a call. Every third event of a client is a message, and every second of them a hook's prompt. */
export function turnOf(name: string): string | null {
  return numberOf(name) % 3 === 0 ? `turn of ${name}` : null;
}

function numberOf(name: string): number {
  return Number(/\d+$/.exec(name)?.[0]);
}

/** The event whose text this is. */
export function nameIn(text: string): string {
  return /^the text of (\S+) goes on/.exec(text)?.[1] ?? text;
}

/** A text of about `length` characters that only this call has. */
export function outputOf(call: string, length: number): string {
  const line = `the text of ${call} goes on here\n`;
  // A message is stored without the white space around it.
  return line.repeat(1 + Math.floor(length / line.length)).trimEnd();
}
