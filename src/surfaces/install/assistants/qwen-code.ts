import type { Assistant, Setup } from '../assistant.ts';
import { namedFolder } from '../home.ts';
import type { Events } from '../hooks.ts';
import { oneSettingsFile } from '../one-settings-file.ts';

const events: Events = {
  before: 'PreToolUse',
  after: ['PostToolUse', 'PostToolUseFailure'],
  sessionStart: 'SessionStart',
  pause: ['PreCompact', 'SessionEnd'],
  allButReading:
    '^(?!(?:read_file|read_many_files|list_directory|glob|grep_search|web_fetch|web_search|todo_write|mcp__memd__mem_[a-z]+)$)',
  recall: [{ event: 'PostToolUseFailure', matcher: '^run_shell_command$' }],
};

/** Hooks and servers in one file. A timeout is in seconds below 1,000 and in milliseconds from there: all of ours are above. */
export const qwenCode: Assistant = {
  name: 'qwen-code',
  title: 'Qwen Code',
  aliases: ['qwen'],
  programs: ['qwen'],
  folder: folderOf,
  parts: (setup: Setup) => oneSettingsFile('qwen-code', folderOf(setup.env), events, setup),
  notes: ['Qwen Code reads its settings when it starts: start it anew'],
};

function folderOf(env: Setup['env']): string {
  return namedFolder(env.QWEN_HOME, '.qwen', env);
}
