import path from 'node:path';
import { type Install, namedFolder, restart, settingsFile } from '../form/index.ts';

export const install: Install = {
  ...settingsFile,
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
};
