import { claudeEvents, type Install, namedFolder, restart, settingsFile } from '../form/index.ts';

/** It reads a timeout of 1,000 or more as milliseconds; ours are above. */
export const install: Install = {
  ...settingsFile,
  title: 'Qwen Code',
  aliases: ['qwen'],
  programs: ['qwen'],
  folder: (env) => namedFolder(env.QWEN_HOME, '.qwen', env),
  events: {
    ...claudeEvents,
    allButReading:
      '^(?!(?:read_file|read_many_files|list_directory|glob|grep_search|web_fetch|web_search|todo_write|mcp__memd__mem_[a-z]+)$)',
    recall: [{ event: 'PostToolUseFailure', matcher: '^run_shell_command$' }],
  },
  notes: [restart('Qwen Code')],
};
