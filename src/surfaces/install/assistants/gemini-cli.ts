import path from 'node:path';
import type { Assistant, Setup } from '../assistant.ts';
import { namedFolder } from '../home.ts';
import type { Events } from '../hooks.ts';
import { oneSettingsFile } from '../one-settings-file.ts';

const events: Events = {
  before: 'BeforeTool',
  after: ['AfterTool'],
  sessionStart: 'SessionStart',
  pause: ['PreCompress', 'SessionEnd'],
  allButReading:
    '^(?!(?:read_file|read_many_files|list_directory|glob|grep_search|search_file_content|web_fetch|google_web_search|mcp_memd_mem_[a-z]+)$)',
  // A hook before a tool can tell the assistant nothing, only one after it.
  recall: [{ event: 'AfterTool', matcher: '^run_shell_command$' }],
};

/** Hooks and servers in one file, in groups as Claude Code's; timeouts in milliseconds. */
export const geminiCli: Assistant = {
  name: 'gemini-cli',
  title: 'Gemini CLI',
  aliases: ['gemini'],
  programs: ['gemini'],
  folder: folderOf,
  parts: (setup: Setup) => oneSettingsFile('gemini-cli', folderOf(setup.env), events, setup),
  notes: [
    'Gemini CLI reads its settings when it starts: start it anew',
    'in a folder that you have not told it to trust it starts no server, and may run no hook',
  ],
};

/** `GEMINI_CLI_HOME` stands for the home folder, not for `.gemini` in it. */
function folderOf(env: Setup['env']): string {
  return path.join(namedFolder(env.GEMINI_CLI_HOME, '', env), '.gemini');
}
