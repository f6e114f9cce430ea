import type { Assistant } from '../assistant.ts';
import { claudeCode } from './claude-code.ts';
import { codex } from './codex.ts';
import { copilotCli } from './copilot-cli.ts';
import { cursor } from './cursor.ts';
import { geminiCli } from './gemini-cli.ts';
import { opencode } from './opencode.ts';
import { qwenCode } from './qwen-code.ts';

export const assistants: readonly Assistant[] = [
  claudeCode,
  codex,
  geminiCli,
  qwenCode,
  copilotCli,
  opencode,
  cursor,
];

/** The assistant of that name or short name, in any letter case; null for a name nobody knows. */
export function findAssistant(name: string): Assistant | null {
  const wanted = name.toLowerCase();
  return assistants.find((one) => one.name === wanted || one.aliases.includes(wanted)) ?? null;
}

/** Every name that an assistant may be called by. */
export const assistantNames: readonly string[] = assistants.flatMap(({ name, aliases }) => [
  name,
  ...aliases,
]);
