import fs from 'node:fs';
import { spool } from '#capture/intake';
import { captureSettings } from '#core/config';
import { type JsonObject, stringAt } from '#core/event';
import { frameBytesMax, hookInputBytesMax } from '#core/limits';
import { addLines, bestEffort, checkOwnFile, Failure, keepOwnRights, messageOf } from '#core/platform';
import { ensureFolders, findRecordedWorkspace, findWorkspace, type Workspace } from '#core/workspace';
import { bringBack } from './bring-back.ts';
import { type CaptureContext, captureContext, captureFrame } from './capture-frame.ts';
import { openExchange } from './exchange.ts';
import { payloadIn } from './input.ts';
import { put } from './output.ts';

/** What became of it, in words for the hook that may still wait; none for an event that is stored or not captured. */
interface Outcome {
  readonly words: string;
  readonly isLost: boolean;
}

const done: Outcome = { words: '', isLost: false };
const lost = (reason: string): Outcome => ({ words: `not captured: ${reason}`, isLost: true });

const answerMs = 2_000;
const noticeMs = 500;

/**
 * Goes on with an observation that the capture hook could not give to the daemon in time, also when the client has ended: reads it from
 * stdin, asks the daemon unless `--tried` says that it was asked, and redacts and spools it. Nothing is left out for want
 * of time.
 */
async function main(): Promise<Outcome> {
  keepOwnRights();
  const text = readInput();
  const payload = payloadIn(text);
  const context = captureContext(stringAt(payload, 'cwd'));
  if (!process.argv.includes('--tried')) {
    const reply = await ask(text, context);
    if (reply?.ok === true) return done;
  }
  return keep(payload, context);
}

function readInput(): string {
  const text = fs.readFileSync(0);
  if (text.length <= hookInputBytesMax) return text.toString('utf8').replace(/^\uFEFF/, '');
  throw new Failure('too_large', `the input has more than ${hookInputBytesMax} bytes`);
}

/** The daemon's answer; null when there is none. */
function ask(text: string, context: CaptureContext): Promise<JsonObject | null> {
  const workspace = findRecordedWorkspace(process.env, context.cwd);
  if (workspace === null || Buffer.byteLength(text) > frameBytesMax) return Promise.resolve(null);
  return new Promise((resolve) => {
    const none = (): void => resolve(null);
    openExchange(workspace.socket, resolve, none)(captureFrame(text, context));
    setTimeout(none, answerMs).unref();
  });
}

async function keep(payload: JsonObject, context: CaptureContext): Promise<Outcome> {
  const workspace = findWorkspace(process.env, context.cwd);
  const { spool: isKept, messages } = captureSettings(workspace.config);
  if (!isKept) {
    await bringBack(workspace);
    return { words: 'not captured (captureSpool is off)', isLost: false };
  }
  ensureFolders(workspace);
  const outcome = spool(workspace.spool, payload, { ...context, messages });
  if (outcome === 'ignored') return done;
  // After spooling, so that the start finds this call.
  const isBack = await bringBack(workspace);
  if (outcome === 'dropped') return lost('the spool is full. Run `memd start`.');
  await giveNotice(workspace);
  const next = isBack ? 'The idle daemon starts again and stores it.' : 'The next start stores it.';
  return { words: `queued in the spool. ${next}`, isLost: false };
}

/** A daemon that was only too busy takes it in without waiting for its next look. */
function giveNotice({ socket }: Workspace): Promise<void> {
  return new Promise((resolve) => {
    const done = (): void => resolve();
    openExchange(socket, done, done)('{"op":"spooled"}\n', done);
    setTimeout(done, noticeMs).unref();
  });
}

/** Nobody may wait for the words any more: what is lost is a line in the daemon's log too. */
function report({ words, isLost }: Outcome): void {
  put(1, words);
  // There may be no workspace, or a full disk.
  bestEffort(() => {
    if (!isLost) return;
    const { daemonLog } = findWorkspace(process.env, captureContext().cwd);
    checkOwnFile(daemonLog);
    const lost = { error: words, msg: 'a hook lost an event' };
    const line = { level: 50, time: new Date().toISOString(), pid: process.pid, ...lost };
    addLines(daemonLog, JSON.stringify(line));
  });
}

void main()
  .catch((error: unknown) => lost(messageOf(error)))
  .then((outcome) => {
    report(outcome);
    process.exit(0);
  });
