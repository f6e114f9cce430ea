/**
 * The assistants that memd knows, one line each.
 * Promises: nothing else names them; what reads a payload, a transcript or settings goes through this table.
 */
import type { ClientName } from '#core/event';
import type { Environment } from '#core/workspace';
import { claudeCode } from '../claude-code/index.ts';
import { cline } from '../cline/index.ts';
import { codex } from '../codex/index.ts';
import { copilotCli } from '../copilot-cli/index.ts';
import { cursor } from '../cursor/index.ts';
import type { Assistant } from '../form/index.ts';
import { geminiCli } from '../gemini-cli/index.ts';
import { generic } from '../generic/index.ts';
import { kilo } from '../kilo/index.ts';
import { opencode } from '../opencode/index.ts';
import { pi } from '../pi/index.ts';
import { qwenCode } from '../qwen-code/index.ts';

/** In the order in which people see them. Payloads are asked from the last to the first: later ones vary the shape of earlier ones. */
export const assistants: readonly Assistant[] = [
  generic,
  claudeCode,
  codex,
  geminiCli,
  qwenCode,
  copilotCli,
  opencode,
  kilo,
  pi,
  cursor,
  cline,
];

/** What an event may have as its client. */
export const clientNames: readonly ClientName[] = [...assistants.map(({ name }) => name), 'unknown'];

/** The assistant in whose shell a process runs, or null. */
export function shellOwner(env: Environment): ClientName | null {
  const isSet = (name: string): boolean => (env[name] ?? '') !== '';
  return assistants.find(({ shell = [] }) => shell.some(isSet))?.name ?? null;
}

/** The session whose shell or server a process of `client` is; undefined if no variable says it. */
export function sessionIn(env: Environment, client: ClientName | null): string | undefined {
  const { session = '' } = assistants.find(({ name }) => name === client) ?? {};
  return env[session] || undefined;
}

/** The variables for the folders of sessions that are set. */
export function clientVariablesOf(env: Environment): Record<string, string> {
  const names = assistants.flatMap(({ variables = [] }) => variables);
  const pairs = names.map((name) => [name, env[name] ?? ''] as const);
  return Object.fromEntries(pairs.filter(([, value]) => value !== ''));
}
