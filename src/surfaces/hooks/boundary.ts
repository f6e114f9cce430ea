import fs from 'node:fs';
import path from 'node:path';
import { type JsonObject, stringAt } from '#core/event';
import { boundaryBudgetMs, ruleFileName } from '#core/limits';
import { inTime, messageOf, orElse, realOrSame, rescued } from '#core/platform';
import { findRecordedWorkspace, type Workspace } from '#core/workspace';
import { argument, ownFolder, readPayload } from './input.ts';
import { exitDenying, exitSilently } from './output.ts';

/**
 * The `pre-tool-use` hook that keeps writes within `.memd/scope.json`. An allowed call gets no output, a denied one an answer in the
 * client's own form. After any error the call goes on, and stderr says why. Needs no daemon.
 *
 * In a project without rules it ends before it loads the code that decides.
 */
function main(): void {
  const limitMs = ownBudgetMs();
  const endsAt = performance.now() + limitMs;
  let isChecked = false;
  const failed = (reason: string): never => (isChecked ? exitSilently(null) : notChecked(reason));
  const late = (): never => failed(`not done within ${limitMs} ms`);
  setTimeout(late, limitMs);
  process.on('uncaughtException', (error) => failed(messageOf(error)));
  readPayload((payload) => {
    const named = [process.env.CLAUDE_PROJECT_DIR, ...reportedFolders(payload), ownFolder()];
    const starts = [...new Set(named)].filter(isPath);
    const told = ownRules();
    if (told === null && !starts.some(mayHaveRules)) exitSilently(null);
    import('./boundary-decision.ts').then(({ decide }) => {
      // A timer would not stop a loop.
      const work = () => decide(payload, starts, argument('client'), told);
      const { answer, note, tell } = inTime(work, endsAt - performance.now()) ?? late();
      if (answer !== null) exitDenying(answer);
      if (tell === undefined || note !== null) exitSilently(note);
      // What fails from here on is no fault of the boundary.
      isChecked = true;
      tell();
    }, notChecked);
  }, notChecked);
}

/** On a busy machine a call is not let through unchecked: the budget grows as the start of this process took longer than its work. */
function ownBudgetMs(): number {
  const { user, system } = process.cpuUsage();
  const upMs = process.uptime() * 1_000;
  const slowdown = upMs / Math.max(1, (user + system) / 1_000);
  return Math.round(Math.max(boundaryBudgetMs, Math.min(boundaryBudgetMs * slowdown, aliveMsMax - upMs)));
}

/** With the start of the process. Assistants wait 5 s; what they end themselves says nothing. */
const aliveMsMax = 4_500;

function notChecked(reason: unknown): never {
  return exitSilently(`the boundary was not checked: ${messageOf(reason)}`);
}

/** The folders in the payload, the workspace's first: a shell may run in any folder. */
function reportedFolders(payload: JsonObject): (string | undefined)[] {
  const roots = payload.workspace_roots ?? payload.workspaceRoots;
  const texts = Array.isArray(roots) ? roots.filter((one) => typeof one === 'string') : [];
  return [...texts, stringAt(payload, 'directory'), stringAt(payload, 'cwd')];
}

function isPath(text: string | null | undefined): text is string {
  return text !== null && text !== undefined && path.isAbsolute(text);
}

/** The workspace, if its user has made rules for the assistant (`mem rule add`). */
function ownRules(): Workspace | null {
  // The boundary holds without them.
  return orElse(() => {
    const found = findRecordedWorkspace(process.env, ownFolder() ?? '/');
    return found !== null && exists(path.join(found.folder, ruleFileName)) ? found : null;
  }, null);
}

/** Whether the folder or one above it may have rules. Reads none of them. */
function mayHaveRules(start: string): boolean {
  for (let folder = realOrSame(start); ; folder = path.dirname(folder)) {
    if (exists(path.join(folder, '.memd', 'scope.json'))) return true;
    // A linked working tree: its main repository may have rules.
    if (exists(path.join(folder, '.git')) && !isFolder(path.join(folder, '.git'))) return true;
    if (folder === path.dirname(folder)) return false;
  }
}

function exists(file: string): boolean {
  // The decision reports what it cannot read.
  return orElse(() => fs.lstatSync(file, { throwIfNoEntry: false }) !== undefined, true);
}

function isFolder(file: string): boolean {
  return fs.statSync(file, { throwIfNoEntry: false })?.isDirectory() === true;
}

rescued(main, notChecked);
