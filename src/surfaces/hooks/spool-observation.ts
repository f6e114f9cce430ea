import fs from 'node:fs';
import { type Spooled, spool } from '../../capture/intake/index.ts';
import { captureSettings } from '../../core/config/index.ts';
import type { JsonObject } from '../../core/event/index.ts';
import { frameBytesMax, hookInputBytesMax } from '../../core/limits.ts';
import { Failure, keepOwnRights, messageOf } from '../../core/platform/index.ts';
import {
  ensureFolders,
  findRecordedWorkspace,
  findWorkspace,
  type Workspace,
} from '../../core/workspace/index.ts';
import { bringBack } from './bring-back.ts';
import { type CaptureContext, captureContext, captureFrame } from './capture-frame.ts';
import { openExchange } from './exchange.ts';
import { payloadIn } from './input.ts';

/** The exit status, for the shell that waits; the words go to stdout, for the hook that waits. */
const statuses = { stored: 0, silent: 10, queued: 11, full: 12, failed: 13 } as const;
type Outcome = readonly [status: keyof typeof statuses, words: string];

const answerMs = 2_000;
const noticeMs = 500;

/**
 * Goes on with an observation that the capture hook could not give to the daemon in time, after the client's own process has ended:
 * reads it from stdin, asks the daemon unless `--tried` says that it was asked, and redacts and spools it. Nothing is left out for want
 * of time.
 */
async function main(): Promise<Outcome> {
  keepOwnRights();
  const context = captureContext();
  const text = readInput();
  const payload = payloadIn(text);
  if (!process.argv.includes('--tried')) {
    const reply = await ask(text, context);
    if (reply?.ok === true) return [reply.ignored === undefined ? 'stored' : 'silent', ''];
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
    openExchange(workspace.socket, resolve, none).sendText(captureFrame(text, context));
    setTimeout(none, answerMs).unref();
  });
}

async function keep(payload: JsonObject, context: CaptureContext): Promise<Outcome> {
  const workspace = findWorkspace(process.env, context.cwd);
  const { spool: isKept, messages } = captureSettings(workspace.config);
  if (!isKept) {
    await bringBack(workspace);
    return ['failed', 'not captured (captureSpool is off)'];
  }
  ensureFolders(workspace);
  const outcome = spool(workspace.spool, payload, { ...context, messages });
  if (outcome === 'ignored') return ['silent', ''];
  // After spooling, so that the start finds this call.
  const isBack = await bringBack(workspace);
  if (outcome === 'spooled') await giveNotice(workspace);
  return wordsFor(outcome, isBack);
}

function wordsFor(outcome: Exclude<Spooled, 'ignored'>, isBack: boolean): Outcome {
  if (outcome === 'dropped') return ['full', 'not captured: the spool is full. Run `memd start`.'];
  const next = isBack ? 'The idle daemon starts again and stores it.' : 'The next start stores it.';
  return ['queued', `queued in the spool. ${next}`];
}

/** A daemon that was only too busy takes it in without waiting for its next look. */
function giveNotice({ socket }: Workspace): Promise<void> {
  return new Promise((resolve) => {
    const done = (): void => resolve();
    openExchange(socket, done, done).sendText('{"op":"spooled"}\n', done);
    setTimeout(done, noticeMs).unref();
  });
}

main()
  .catch((error: unknown): Outcome => ['failed', `not captured: ${messageOf(error)}`])
  .then(([status, words]) => {
    try {
      fs.writeSync(1, words);
    } catch {
      // Nobody waits any more.
    }
    process.exit(statuses[status]);
  });
