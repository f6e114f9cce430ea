import path from 'node:path';
import { type Environment, homeOf } from '#core/workspace';
import { quoted } from './shell-words.ts';

/** What memd writes into an assistant's own settings. Files are relative to its folder. */
export interface Install {
  readonly title: string;
  readonly aliases: readonly string[];
  /** Its programs on the PATH. */
  readonly programs: readonly string[];
  /** Its own folder, which exists once it was used. */
  readonly folder: (env: Environment) => string;
  readonly events: Events;
  /** Whether its JSON files may have comments and trailing commas. */
  readonly isLooseAllowed?: boolean;
  readonly hooks: HooksFile | PluginFile;
  /** Where its file for servers is; without one, its plugin brings the tools. */
  readonly server?: ServerFile;
  /** What a user must know after an installation. */
  readonly notes: readonly string[];
}

/** Its names of the events that have hooks. */
export interface Events {
  readonly before: string;
  /** Some clients have another event for a failed call. */
  readonly after: readonly string[];
  readonly sessionStart: string;
  /** When the user or the assistant has said something. */
  readonly said: readonly string[];
  /** When a session is compacted or ends. */
  readonly pause: readonly string[];
  /** A matcher for all tools but those that only read, if the client's matchers can express it. */
  readonly allButReading?: string;
  readonly recall: readonly { readonly event: string; readonly matcher: string }[];
}

/** A JSON file with the lists `hooks.EVENT`. */
export interface HooksFile {
  readonly file: string;
  /** Whether it must have `"version": 1`. */
  readonly hasVersion?: boolean;
  readonly value: (hook: PlannedHook) => HookValue;
}

/** A file that is entirely ours, and calls our hooks. `server` runs our server for tools. */
export interface PluginFile {
  readonly file: string;
  readonly text: (hooks: readonly PlannedHook[], server: readonly string[]) => string;
}

/** A file with our server for its tools: a member of an object in JSON, or a table in TOML. */
export interface ServerFile {
  /** Of several names, the first that mentions memd, else that exists. */
  readonly files: readonly string[];
  /** Where they are not in its folder. */
  readonly folder?: (env: Environment) => string;
  /** The name of the object or table; by default `mcpServers`. */
  readonly under?: string;
  readonly value: (command: string, args: readonly string[]) => HookValue;
}

export type HookValue = Readonly<Record<string, unknown>>;

/** A hook before it takes a client's form. */
export interface PlannedHook {
  /** The name of the file that runs. */
  readonly program: string;
  readonly event: string;
  readonly isMessage?: boolean;
  /** The tools that it is for; without one, all tools. */
  readonly matcher?: string;
  readonly words: readonly string[];
  readonly timeoutMs: number;
}

/** For a client that runs hooks in a shell. The output of the capture hook is discarded: some clients read it as a decision. */
export function shellLine({ program, words }: PlannedHook): string {
  return `${quoted(words)}${program === 'capture-observation' ? ' >/dev/null' : ''}`;
}

/** In Claude Code's form, which others share: handlers in groups by matcher. */
export function grouped({ matcher }: PlannedHook, handler: HookValue): HookValue {
  return { ...(matcher === undefined ? {} : { matcher }), hooks: [{ type: 'command', ...handler }] };
}

/** Claude Code's names, which Codex, Qwen Code and Pi share. */
export const claudeEvents = {
  before: 'PreToolUse',
  after: ['PostToolUse', 'PostToolUseFailure'],
  said: ['UserPromptSubmit', 'Stop', 'StopFailure', 'SubagentStop', 'PostCompact'],
  sessionStart: 'SessionStart',
  pause: ['PreCompact', 'SessionEnd'],
} as const;

export const camelCaseEvents = {
  before: 'preToolUse',
  after: ['postToolUse', 'postToolUseFailure'],
  sessionStart: 'sessionStart',
  pause: ['preCompact', 'sessionEnd'],
} as const;

/** For Gemini CLI and its descendants: everything in one file, timeouts in milliseconds. */
export const settingsFile = {
  isLooseAllowed: true,
  hooks: {
    file: 'settings.json',
    value: (hook: PlannedHook) =>
      grouped(hook, { name: `memd-${hook.program}`, command: shellLine(hook), timeout: hook.timeoutMs }),
  },
  server: {
    files: ['settings.json'],
    value: (command: string, args: readonly string[]) => ({ command, args }),
  },
} as const;

export const seconds = ({ timeoutMs }: PlannedHook): number => timeoutMs / 1_000;
export const restart = (title: string): string => `${title} reads its settings when it starts: restart it`;

/** The folder that an assistant's environment variable names, or `fallback` below the home. */
export function namedFolder(name: string | undefined, fallback: string, env: Environment): string {
  const folder = name?.trim();
  if (!folder) return path.join(homeOf(env), fallback);
  return path.resolve(folder.replace(/^~(?=\/|$)/, homeOf(env)));
}
