import fs from 'node:fs';
import { type JsonObject, stringAt } from '../event/index.ts';
import { version } from '../info/index.ts';
import {
  outlineCharsMax,
  outlineWaitMs,
  sessionStartBudgetMs,
  sessionStartInputMs,
  sessionStartLineCharsMax,
} from '../limits.ts';
import { Failure, messageOf } from '../platform/index.ts';
import { call, ping } from '../rpc/index.ts';
import { findWorkspace, type Workspace } from '../workspace/index.ts';
import { ownFolder, readPayload } from './boundary-input.ts';
import { Attempts } from './session-start-attempts.ts';
import { ensureAnswering } from './session-start-ensure.ts';

/**
 * The `session-start` hook: finds the daemon healthy by one ping, or starts it; then hands the assistant the outline of what is
 * remembered. Whatever happens it exits 0 within its budget, and puts out nothing but one JSON object in the form of the client's
 * hooks: `systemMessage`, one line for the person, when something is wrong; `additionalContext`, for the assistant, from the daemon alone.
 */
async function main(): Promise<void> {
  const workspace = findWorkspace(process.env, projectFolder());
  // One after the other would make every session wait for a client that keeps our input open.
  const [session, health] = await Promise.all([readSession(), ping(workspace.socket)]);
  if (session === null) leave();
  const attempts = Attempts.of(workspace);
  slow = (what) => attempts.note(what, Date.now());
  const program = new URL('./memd.cjs', import.meta.url);
  const { answers, said } = await ensureAnswering(workspace, health, { attempts, program });
  line ??= said;
  if (answers) outline = await askOutline(workspace, session);
  leave();
}

/** @throws Failure where there is none: any other folder's memory would be that of another project */
function projectFolder(): string {
  const folder = process.env.CLAUDE_PROJECT_DIR || ownFolder();
  if (folder !== null) return folder;
  throw new Failure('no_workspace', 'the project folder is gone', {
    safe: 'nothing was started',
    repair: 'begin the session in a folder that exists',
  });
}

/** What is put out at the end, whichever end that is. */
let line: string | null = null;
let outline = '';
/** Notes that a start outlived the budget: it counts among those that failed. */
let slow: (what: string) => void = () => {};

interface Session {
  readonly session: string;
  readonly source: string;
}

/** What the client tells of the session; null when the event is another one. What cannot be read is a start like any other. */
function readSession(): Promise<Session | null> {
  return new Promise((resolve) => {
    const unknown = (): void => resolve({ session: '', source: '' });
    setTimeout(unknown, sessionStartInputMs);
    const take = (payload: JsonObject): void => {
      const event = stringAt(payload, 'hook_event_name') ?? 'SessionStart';
      const session = stringAt(payload, 'session_id') ?? '';
      resolve(event === 'SessionStart' ? { session, source: stringAt(payload, 'source') ?? '' } : null);
    };
    try {
      readPayload(take, unknown);
    } catch {
      // There is no input at all, not even an empty one.
      unknown();
    }
  });
}

/** The outline, or nothing where the daemon is too busy to give it: no session waits for it. */
async function askOutline(workspace: Workspace, { session, source }: Session): Promise<string> {
  try {
    const reply = await call(
      workspace.socket,
      { op: 'outline', session, source },
      { timeoutMs: outlineWaitMs },
    );
    const running = stringAt(reply, 'version') ?? 'unknown';
    if (running !== version) line ??= otherVersion(running);
    const text = stringAt(reply, 'text') ?? '';
    // No daemon of ours says so much; cut by the client it would have no end.
    return text.length <= outlineCharsMax ? text : '';
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    if (error.code === 'unknown_op') line ??= otherVersion('older');
    return '';
  }
}

/** After an update the former daemon lives on, and its files may be gone. Who runs two memds on purpose would not want them to end each other. */
function otherVersion(running: string): string {
  return `the daemon that runs has another version (${running}) than this hook (${version}). Run: memd restart`;
}

function leave(): never {
  const context = { hookEventName: 'SessionStart', additionalContext: outline };
  const answer = {
    ...(line === null ? {} : { systemMessage: shown(line) }),
    ...(outline === '' ? {} : { hookSpecificOutput: context }),
  };
  try {
    if (line !== null || outline !== '') fs.writeSync(1, `${JSON.stringify(answer)}\n`);
  } catch {
    // Nobody listens there any more; the session goes on.
  }
  process.exit(0);
}

/** One line, for a terminal. A plugin brings `memd` along, on the assistant's path and not on the person's. */
function shown(text: string): string {
  const where = process.env.CLAUDE_PLUGIN_ROOT;
  const hint = where && /\bmemd [a-z]/.test(text) ? ` (here: /memd:memory, or "${where}/bin/memd")` : '';
  return `memd: ${text.slice(0, sessionStartLineCharsMax)}${hint}`.replace(/[\p{Cc}\p{Cf}\s]+/gu, ' ');
}

function fail(error: unknown): never {
  // A failure names its repair.
  line ??= error instanceof Failure ? error.message : `${messageOf(error)}. Run: memd doctor`;
  return leave();
}

process.on('uncaughtException', fail);
setTimeout(() => {
  const what = `the daemon is not ready after ${sessionStartBudgetMs / 1_000} s`;
  slow(what);
  line ??= `${what}; this session goes on without it. Run: memd doctor`;
  leave();
}, sessionStartBudgetMs);
main().catch(fail);
