import path from 'node:path';
import { type Environment, homeOf } from '../../core/workspace/index.ts';
import type { Assistant, HooksPart, Setup } from './assistant.ts';
import { namedFolder } from './home.ts';
import { type Events, grouped, type PlannedHook, plannedHooks, shellLine } from './hooks.ts';
import { opencode } from './opencode.ts';
import { serverName, serverWords } from './servers.ts';

/** An assistant with hooks and servers in JSON files. Files are relative to its folder. */
interface JsonAssistant extends Omit<Assistant, 'parts'> {
  readonly events: Events;
  readonly isLooseAllowed?: true;
  readonly hooks: {
    readonly file: string;
    readonly hasVersion?: true;
    readonly value: (hook: PlannedHook) => HooksPart['hooks'][number]['value'];
  };
  readonly server: {
    readonly file: string | ((env: Environment) => string);
    readonly value?: Readonly<Record<string, unknown>>;
    readonly more?: Readonly<Record<string, unknown>>;
  };
}

function jsonAssistant(spec: JsonAssistant): Assistant {
  const { name, title, aliases, programs, folder, notes, server, isLooseAllowed = false } = spec;
  return {
    ...{ name, title, aliases, programs, folder, notes },
    parts: (setup) => {
      const [command, ...args] = serverWords(setup.programs);
      const { file } = server;
      return [
        hooksPart(spec, setup),
        {
          kind: 'server',
          file: typeof file === 'string' ? path.join(folder(setup.env), file) : file(setup.env),
          isLooseAllowed,
          under: 'mcpServers',
          value: { ...server.value, command, args, ...server.more },
        },
      ];
    },
  };
}

function hooksPart(
  spec: Pick<JsonAssistant, 'name' | 'folder' | 'events' | 'hooks' | 'isLooseAllowed'>,
  setup: Setup,
): HooksPart {
  const { name, folder, events, hooks, isLooseAllowed = false } = spec;
  return {
    kind: 'hooks',
    file: path.join(folder(setup.env), hooks.file),
    isLooseAllowed,
    hooks: plannedHooks(name, events, setup).map((hook) => {
      const { event, isMessage = false } = hook;
      return { event, isMessage, value: hooks.value(hook) };
    }),
    hasVersion: hooks.hasVersion ?? false,
  };
}

const seconds = ({ timeoutMs }: PlannedHook): number => timeoutMs / 1_000;
const restart = (title: string): string => `${title} reads its settings when it starts: restart it`;

/** Hooks run without a shell. Servers are in another file than hooks. */
const claudeCode = jsonAssistant({
  name: 'claude-code',
  title: 'Claude Code',
  aliases: ['claude'],
  programs: ['claude'],
  folder: (env) => namedFolder(env.CLAUDE_CONFIG_DIR, '.claude', env),
  events: {
    before: 'PreToolUse',
    after: ['PostToolUse', 'PostToolUseFailure'],
    said: ['UserPromptSubmit', 'Stop', 'SubagentStop', 'PostCompact'],
    sessionStart: 'SessionStart',
    pause: ['PreCompact', 'SessionEnd'],
    allButReading: '^(?!(?:Read|Glob|Grep|LS|WebFetch|WebSearch|TodoWrite|mcp__memd__mem_[a-z]+)$)',
    recall: [{ event: 'PostToolUseFailure', matcher: 'Bash' }],
  },
  hooks: {
    file: 'settings.json',
    value: (hook) => {
      const [command, ...args] = hook.words;
      return grouped(hook, { command, args, timeout: seconds(hook) });
    },
  },
  server: {
    file: (env) => path.join(namedFolder(env.CLAUDE_CONFIG_DIR, '', env), '.claude.json'),
    value: { type: 'stdio' },
  },
  notes: ['end or restart running sessions of Claude Code: they may overwrite its settings'],
});

const codexSpec = {
  name: 'codex',
  folder: (env: Environment) => namedFolder(env.CODEX_HOME, '.codex', env),
  // Its matchers cannot say "all but these", so the boundary runs before every tool.
  events: {
    before: 'PreToolUse',
    after: ['PostToolUse'],
    said: ['UserPromptSubmit', 'Stop', 'SubagentStop', 'PostCompact'],
    sessionStart: 'SessionStart',
    pause: ['PreCompact', 'SessionEnd'],
    recall: [{ event: 'PostToolUse', matcher: 'Bash' }],
  },
  hooks: {
    file: 'hooks.json',
    value: (hook: PlannedHook) => grouped(hook, { command: shellLine(hook), timeout: seconds(hook) }),
  },
} as const;

const codex: Assistant = {
  name: codexSpec.name,
  title: 'Codex',
  aliases: ['codex-cli'],
  programs: ['codex'],
  folder: codexSpec.folder,
  parts: (setup) => {
    const [command, ...args] = serverWords(setup.programs);
    // Codex passes only listed environment variables to a server.
    const body = [
      `[mcp_servers.${serverName}]`,
      `command = ${JSON.stringify(command)}`,
      `args = [${args.map((word) => JSON.stringify(word)).join(', ')}]`,
      'env_vars = ["MEMD_NS"]',
    ].join('\n');
    const file = path.join(codexSpec.folder(setup.env), 'config.toml');
    return [
      hooksPart(codexSpec, setup),
      { kind: 'toml-server', file, table: ['mcp_servers', serverName], body },
    ];
  },
  notes: [
    'Codex runs only trusted hooks: start codex, type /hooks and trust those of memd (in scripts: --dangerously-bypass-hook-trust)',
  ],
};

/** Also for descendants of Gemini CLI: everything in one file, timeouts in milliseconds. */
const settingsFile = {
  isLooseAllowed: true,
  hooks: {
    file: 'settings.json',
    value: (hook: PlannedHook) =>
      grouped(hook, { name: `memd-${hook.program}`, command: shellLine(hook), timeout: hook.timeoutMs }),
  },
  server: { file: 'settings.json' },
} as const;

const geminiCli = jsonAssistant({
  ...settingsFile,
  name: 'gemini-cli',
  title: 'Gemini CLI',
  aliases: ['gemini'],
  programs: ['gemini'],
  // GEMINI_CLI_HOME replaces the home folder, not `.gemini`.
  folder: (env) => path.join(namedFolder(env.GEMINI_CLI_HOME, '', env), '.gemini'),
  events: {
    before: 'BeforeTool',
    after: ['AfterTool'],
    said: ['BeforeAgent', 'AfterAgent'],
    sessionStart: 'SessionStart',
    pause: ['PreCompress', 'SessionEnd'],
    allButReading:
      '^(?!(?:read_file|read_many_files|list_directory|glob|grep_search|search_file_content|web_fetch|google_web_search|mcp_memd_mem_[a-z]+)$)',
    recall: [{ event: 'AfterTool', matcher: '^run_shell_command$' }],
  },
  notes: [
    restart('Gemini CLI'),
    'in a folder that you do not trust it starts no server, and may run no hook',
  ],
});

/** It reads a timeout of 1,000 or more as milliseconds; ours are above. */
const qwenCode = jsonAssistant({
  ...settingsFile,
  name: 'qwen-code',
  title: 'Qwen Code',
  aliases: ['qwen'],
  programs: ['qwen'],
  folder: (env) => namedFolder(env.QWEN_HOME, '.qwen', env),
  events: {
    before: 'PreToolUse',
    after: ['PostToolUse', 'PostToolUseFailure'],
    said: ['UserPromptSubmit', 'Stop', 'SubagentStop', 'PostCompact'],
    sessionStart: 'SessionStart',
    pause: ['PreCompact', 'SessionEnd'],
    allButReading:
      '^(?!(?:read_file|read_many_files|list_directory|glob|grep_search|web_fetch|web_search|todo_write|mcp__memd__mem_[a-z]+)$)',
    recall: [{ event: 'PostToolUseFailure', matcher: '^run_shell_command$' }],
  },
  notes: [restart('Qwen Code')],
});

const camelCaseEvents = {
  before: 'preToolUse',
  after: ['postToolUse', 'postToolUseFailure'],
  sessionStart: 'sessionStart',
  pause: ['preCompact', 'sessionEnd'],
};

/** A hooks file of our own in its folder of hooks. */
const copilotCli = jsonAssistant({
  name: 'copilot-cli',
  title: 'Copilot CLI',
  aliases: ['copilot', 'github-copilot'],
  programs: ['copilot'],
  folder: (env) => namedFolder(env.COPILOT_HOME, '.copilot', env),
  // It reports a failed command with the event for successful ones.
  events: {
    ...camelCaseEvents,
    said: ['userPromptSubmitted', 'agentStop'],
    recall: [{ event: 'postToolUse', matcher: 'bash' }],
  },
  hooks: {
    file: 'hooks/memd.json',
    hasVersion: true,
    value: (hook) => ({
      type: 'command',
      ...(hook.matcher === undefined ? {} : { matcher: hook.matcher }),
      // A hook that fails before a call denies it: without memd, every tool would be denied.
      bash: hook.event === camelCaseEvents.before ? `${shellLine(hook)} || true` : shellLine(hook),
      timeoutSec: seconds(hook),
    }),
  },
  server: { file: 'mcp-config.json', value: { type: 'local' }, more: { tools: ['*'] } },
  notes: [restart('Copilot CLI'), 'memd writes no hooks into .github/hooks of a repository'],
});

/** Only the events for all tools: those for one kind of tool repeat the same calls. */
const cursor = jsonAssistant({
  name: 'cursor',
  title: 'Cursor',
  aliases: [],
  programs: ['cursor', 'cursor-agent'],
  folder: (env) => path.join(homeOf(env), '.cursor'),
  isLooseAllowed: true,
  events: { ...camelCaseEvents, said: ['beforeSubmitPrompt', 'afterAgentResponse'], recall: [] },
  hooks: {
    file: 'hooks.json',
    hasVersion: true,
    value: (hook) => ({ command: shellLine(hook), timeout: seconds(hook) }),
  },
  server: { file: 'mcp.json', value: { type: 'stdio' } },
  notes: [
    'check that the pages Hooks and MCP of its settings list memd (not tested with Cursor itself)',
    'with third-party hooks enabled, it also runs those of Claude Code: install memd in one of them, or calls are stored twice',
  ],
});

export const assistants: readonly Assistant[] = [
  claudeCode,
  codex,
  geminiCli,
  qwenCode,
  copilotCli,
  opencode,
  cursor,
];

/** By name or alias, in any letter case. */
export function findAssistant(name: string): Assistant | null {
  const wanted = name.toLowerCase();
  return assistants.find((one) => one.name === wanted || one.aliases.includes(wanted)) ?? null;
}

export const assistantNames: readonly string[] = assistants.flatMap(({ name, aliases }) => [
  name,
  ...aliases,
]);
