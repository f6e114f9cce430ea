import { type Json, type JsonObject, stringAt } from '#core/event';
import { outlineCharsMax, sessionStartBudgetMs, sessionStartLineCharsMax } from '#core/limits';
import { Failure, inSentences, keepOwnRights, messageOf, rescued } from '#core/platform';
import { call, ping } from '#core/rpc';
import { findWorkspace, type Workspace } from '#core/workspace';
import { isOlder, version } from '../../core/version.ts';
import { openExchange } from './exchange.ts';
import { ownFolder, readPayload } from './input.ts';
import { put } from './output.ts';
import { attemptsOf } from './session-start-attempts.ts';
import { ensureDaemon, replaceOlder } from './session-start-ensure.ts';

const sessionStartInputMs = 250;
/** On a busy machine a daemon that is well answers in seconds. What hangs has not answered the ping. */
const outlineWaitMs = 6_000;
/** Within `sessionStartBudgetMs`, to print what came. */
const printReserveMs = 300;

/**
 * The `session-start` hook: pings the daemon, starts it if needed, and gives the assistant the outline of the memory. It always exits 0
 * within its budget. Its only output is one JSON object in the form of the client's hooks: `systemMessage`, one line for the user about a
 * problem; `additionalContext`, for the assistant, which comes from the daemon only.
 */
async function main(): Promise<void> {
  keepOwnRights();
  const workspace = findWorkspace(process.env, projectFolder());
  // At the same time as the input, which some clients keep open.
  const pinged = ping(workspace.socket);
  // The error is handled below, unless the event is another one.
  pinged.catch(() => {});
  const session = await readSession();
  if (session === null) exit();
  const health = await pinged;
  const attempts = attemptsOf(workspace);
  slow = (what) => attempts.noteWhileUp(what, Date.now());
  const program = new URL('./memd.cjs', import.meta.url);
  const { answers, note } = await ensureDaemon(workspace, health, { attempts, program });
  line ??= note;
  const given = answers
    ? await askOutline(workspace, session, () => replaceOlder(workspace, { attempts, program }))
    : [];
  if (print() && outline !== '') confirm(workspace, { session: session.session, ids: given });
  else process.exit(0);
}

/** Says that the session has the outline. Waits for no answer. */
function confirm(workspace: Workspace, received: JsonObject): void {
  const end = (): never => process.exit(0);
  openExchange(workspace.socket, end, end)(`${JSON.stringify({ op: 'received', ...received })}\n`, end);
}

/** @throws Failure when it is unknown: another folder may belong to another project */
function projectFolder(): string {
  const folder = process.env.CLAUDE_PROJECT_DIR || ownFolder();
  if (folder !== null) return folder;
  throw new Failure('no_workspace', 'the project folder does not exist', {
    safe: 'nothing was started',
    repair: 'start the session in a folder that exists',
  });
}

/** The output at every exit. */
let line: string | null = null;
let outline = '';
/** Clients that write event names so read the context at the top level. */
let inCamelCase = false;
/** Notes a start that took longer than the budget as a failed one. */
let slow: (what: string) => void = () => {};

interface Session {
  readonly session: string;
  readonly source: string;
}

/** The session in the client's payload; null when the event is another one. An unreadable payload counts as a start. */
function readSession(): Promise<Session | null> {
  return new Promise((resolve) => {
    const unknown = (): void => resolve({ session: '', source: '' });
    setTimeout(unknown, sessionStartInputMs);
    const take = (payload: JsonObject): void => {
      const session = stringAt(payload, 'session_id') ?? stringAt(payload, 'sessionId') ?? '';
      inCamelCase = payload.hook_event_name === 'sessionStart' || 'sessionId' in payload;
      resolve(isStart(payload) ? { session, source: stringAt(payload, 'source') ?? '' } : null);
    };
    // stdin may be closed.
    rescued(() => readPayload(take, unknown), unknown);
  });
}

/** Cursor writes event names in lower case; Copilot CLI and OpenCode send none, but their other events have fields of their own. */
function isStart(payload: JsonObject): boolean {
  const event = stringAt(payload, 'hook_event_name');
  if (event !== undefined) return event === 'SessionStart' || event === 'sessionStart';
  return !otherFields.some((field) => field in payload);
}

const otherFields = 'toolName tool input output type prompt reason stopReason trigger error'.split(' ');

/** Asks for the outline and answers its memories. A daemon of an older version, which still runs after an update, is replaced first. */
async function askOutline(
  workspace: Workspace,
  session: Session,
  replace: () => Promise<string | null>,
): Promise<readonly Json[]> {
  let outlined = await outlineOf(workspace, session);
  if (outlined?.isOlder) {
    line ??= await replace();
    outlined = await outlineOf(workspace, session);
  }
  if (outlined === null) return [];
  if (outlined.running !== version) line ??= otherVersion(outlined.running);
  line ??= outlined.warning;
  outline = outlined.text;
  return outlined.ids;
}

/** The text and its memories, the version of the daemon that answers, and the memory's worst problem. Null when it is too busy to answer in time. */
async function outlineOf(workspace: Workspace, { session, source }: Session) {
  const leftMs = sessionStartBudgetMs - printReserveMs - process.uptime() * 1_000;
  const waitMs = Math.max(1, Math.min(outlineWaitMs, leftMs));
  try {
    const folder = ownFolder();
    const message = { op: 'outline', session, source, ...(folder !== null && { cwd: folder }), waitMs };
    const reply = await call(workspace.socket, message, { timeoutMs: waitMs });
    const text = stringAt(reply, 'text') ?? '';
    const running = stringAt(reply, 'version') ?? 'unknown';
    // A memd daemon never sends more, and a client would cut it without its end.
    const fitting = text.length <= outlineCharsMax ? text : '';
    const warning = stringAt(reply, 'warning') ?? null;
    const ids = Array.isArray(reply.ids) ? reply.ids : [];
    return { text: fitting, ids, running, warning, isOlder: isOlder(running, version) === true };
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    // The oldest daemons do not know this op.
    return error.code === 'unknown_op'
      ? { text: '', ids: [], running: 'older', warning: null, isOlder: true }
      : null;
  }
}

/** A newer daemon is not replaced: the user may run two versions on purpose. */
function otherVersion(running: string): string {
  return isOlder(version, running) === true
    ? `the running daemon has a newer version (${running}) than this hook (${version}), and stays: update memd here`
    : `the running daemon has another version (${running}) than this hook (${version}). Run \`memd restart\`.`;
}

function exit(): never {
  print();
  process.exit(0);
}

let isPrinted = false;

/** Prints the answer, once. Whether the client has it. */
function print(): boolean {
  if (isPrinted) return false;
  isPrinted = true;
  const context = { hookEventName: 'SessionStart', additionalContext: outline };
  // Copilot CLI's name for it and Cursor's.
  const ownForms = { additionalContext: outline, additional_context: outline };
  const answer = {
    ...(line === null ? {} : { systemMessage: shown(line) }),
    ...(outline === '' ? {} : inCamelCase ? ownForms : { hookSpecificOutput: context }),
  };
  return put(1, line !== null || outline !== '' ? `${JSON.stringify(answer)}\n` : '');
}

/** One line for a terminal. The plugin's `memd` is on the assistant's path, not on the user's. */
function shown(text: string): string {
  const where = process.env.CLAUDE_PLUGIN_ROOT;
  const hint = where && /\bmemd [a-z]/.test(text) ? ` (here: /memd:memory, or "${where}/bin/memd")` : '';
  return `memd: ${text.slice(0, sessionStartLineCharsMax)}${hint}`.replace(/[\p{Cc}\p{Cf}\s]+/gu, ' ');
}

function fail(error: unknown): never {
  // A failure names its repair.
  line ??= error instanceof Failure ? error.message : inSentences(messageOf(error), 'run `memd doctor`');
  return exit();
}

process.on('uncaughtException', fail);
setTimeout(() => {
  const what = `the daemon is not ready after ${sessionStartBudgetMs / 1_000} s`;
  slow(what);
  line ??= `${what}. This session goes on without it. Run \`memd doctor\`.`;
  exit();
}, sessionStartBudgetMs);
main().catch(fail);
