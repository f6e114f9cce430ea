import { exportCommand } from './commands/export.ts';
import { forgetCommand } from './commands/forget.ts';
import { importCommand } from './commands/import.ts';
import { pinCommand, recentCommand, showCommand, timelineCommand } from './commands/memories.ts';
import { pruneCommand } from './commands/prune.ts';
import { searchCommand, whyCommand } from './commands/search.ts';
import { sessionsCommand } from './commands/sessions.ts';
import { systemIo } from './io.ts';
import { runProgram } from './program.ts';

const io = systemIo();

void runProgram(
  {
    name: 'mem',
    description: 'Works on the memory of this project: search it, look at it, pin what matters.',
    commands: [
      searchCommand,
      whyCommand,
      showCommand,
      recentCommand,
      timelineCommand,
      sessionsCommand,
      pinCommand,
      forgetCommand,
      pruneCommand,
      exportCommand,
      importCommand,
    ],
    examples: ['mem search "the command that fixed the migration" --why', 'mem recent -n 5', 'mem pin 12'],
  },
  io,
  process.argv.slice(2),
).then((code) => {
  process.exitCode = code;
});
