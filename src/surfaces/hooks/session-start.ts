import fs from 'node:fs';
import { type JsonObject, stringAt } from '../../core/event/index.ts';
import { outlineCharsMax, sessionStartBudgetMs, sessionStartLineCharsMax } from '../../core/limits.ts';
import { Failure, keepOwnRights, messageOf } from '../../core/platform/index.ts';
import { call, ping } from '../../core/rpc/index.ts';
import { isOlder, version } from '../../core/version.ts';
import { findWorkspace, type Workspace } from '../../core/workspace/index.ts';
import { ownFolder, readPayload } from './input.ts';
import { Attempts } from './session-start-attempts.ts';
import { ensureDaemon, replaceOlder } from './session-start-ensure.ts';

const sessionStartInputMs = 250;
const outlineWaitMs = 800;

/**
 * The `session-start` hook: finds the daemon healthy by one ping, or starts it; then hands the assistant the outline of what is
 * remembered. Whatever happens it exits 0 within its budget, and puts out nothing but one JSON object in the form of the client's
 * hooks: `systemMessage`, one line for the person, when something is wrong; `additionalContext`, for the assistant, from the daemon alone.
 */
async function main(): Promise<void> {
  keepOwnRights();
  const workspace = findWorkspace(process.env, projectFolder());
  // One after the other would make every session wait for a client that keeps our input open.
  const pinged = ping(workspace.socket);
  // Its refusal is told below, and to nobody where the event is another one.
  pinged.catch(() => {});
  const session = await readSession();
  if (session === null) exit();
  const health = await pinged;
  const attempts = Attempts.of(workspace);
  slow = (what) => attempts.noteWhileUp(what, Date.now());
  const program = new URL('./memd.cjs', import.meta.url);
  const { answers, said } = await ensureDaemon(workspace, health, { attempts, program });
  line ??= said;
  if (answers)
    outline = await askOutline(workspace, session, () => replaceOlder(workspace, { attempts, program }));
  exit();
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
/** Whether the client is one of those that write events so: they read what is for the assistant at the top. */
let inCamelCase = false;
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
      const session = stringAt(payload, 'session_id') ?? stringAt(payload, 'sessionId') ?? '';
      inCamelCase = payload.hook_event_name === 'sessionStart' || 'sessionId' in payload;
      resolve(isStart(payload) ? { session, source: stringAt(payload, 'source') ?? '' } : null);
    };
    try {
      readPayload(take, unknown);
    } catch {
      // There is no input at all, not even an empty one.
      unknown();
    }
  });
}

/** Cursor writes its events small, Copilot CLI and OpenCode name none; what those tell of another event has a field of its own. */
function isStart(payload: JsonObject): boolean {
  const event = stringAt(payload, 'hook_event_name');
  if (event !== undefined) return event === 'SessionStart' || event === 'sessionStart';
  return !otherFields.some((field) => field in payload);
}

const otherFields = 'toolName tool input output type prompt reason stopReason trigger error'.split(' ');

interface Outlined {
  readonly text: string;
  /** Of the daemon that answers. */
  readonly running: string;
  /** The worst of what is wrong with the memory, with its repair. */
  readonly warning: string | null;
  readonly isOlder: boolean;
}

/** The outline; from a daemon of an older version, which lives on after an update, only when `replace` has put this one's in its place. */
async function askOutline(
  workspace: Workspace,
  session: Session,
  replace: () => Promise<string | null>,
): Promise<string> {
  let outlined = await outlineOf(workspace, session);
  if (outlined?.isOlder) {
    line ??= await replace();
    outlined = await outlineOf(workspace, session);
  }
  if (outlined === null) return '';
  if (outlined.running !== version) line ??= otherVersion(outlined.running);
  line ??= outlined.warning;
  return outlined.text;
}

/** Null where the daemon is too busy to answer: no session waits for it. */
async function outlineOf(workspace: Workspace, { session, source }: Session): Promise<Outlined | null> {
  try {
    const reply = await call(
      workspace.socket,
      { op: 'outline', session, source },
      { timeoutMs: outlineWaitMs },
    );
    const text = stringAt(reply, 'text') ?? '';
    const running = stringAt(reply, 'version') ?? 'unknown';
    // No daemon of ours says so much; cut by the client it would have no end.
    const fitting = text.length <= outlineCharsMax ? text : '';
    const warning = stringAt(reply, 'warning') ?? null;
    return { text: fitting, running, warning, isOlder: isOlder(running, version) === true };
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    // The oldest knew nothing of this.
    return error.code === 'unknown_op' ? { text: '', running: 'older', warning: null, isOlder: true } : null;
  }
}

/** Who runs two memds on purpose would not want them to end each other: a newer one is left alone, and a restart would be a step back. */
function otherVersion(running: string): string {
  return isOlder(version, running) === true
    ? `the daemon that runs is of a newer version (${running}) than this hook (${version}), and is left alone: update what starts it here`
    : `the daemon that runs has another version (${running}) than this hook (${version}). Run: memd restart`;
}

function exit(): never {
  const context = { hookEventName: 'SessionStart', additionalContext: outline };
  // Copilot CLI's name for it and Cursor's.
  const ownForms = { additionalContext: outline, additional_context: outline };
  const answer = {
    ...(line === null ? {} : { systemMessage: shown(line) }),
    ...(outline === '' ? {} : inCamelCase ? ownForms : { hookSpecificOutput: context }),
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
  return exit();
}

process.on('uncaughtException', fail);
setTimeout(() => {
  const what = `the daemon is not ready after ${sessionStartBudgetMs / 1_000} s`;
  slow(what);
  line ??= `${what}; this session goes on without it. Run: memd doctor`;
  exit();
}, sessionStartBudgetMs);
main().catch(fail);
