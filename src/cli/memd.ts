import { backfillCommand } from './commands/backfill.ts';
import { doctorCommand } from './commands/doctor.ts';
import { drainCommand } from './commands/drain.ts';
import { focusCommand } from './commands/focus.ts';
import { infoCommand } from './commands/info.ts';
import { initCommand } from './commands/init.ts';
import { logsCommand } from './commands/logs.ts';
import { mcpCommand } from './commands/mcp.ts';
import { monitorCommand } from './commands/monitor.ts';
import { scopeCommand } from './commands/scope.ts';
import { startCommand } from './commands/start.ts';
import { restartCommand, stopCommand } from './commands/stop.ts';
import { upCommand } from './commands/up.ts';
import { webCommand } from './commands/web.ts';
import { systemIo } from './io.ts';
import { runProgram } from './program.ts';

const io = systemIo();

void runProgram(
  {
    name: 'memd',
    description: 'Runs the memory of this project: a daemon that keeps what your coding assistant does.',
    commands: [
      upCommand,
      initCommand,
      startCommand,
      stopCommand,
      restartCommand,
      infoCommand,
      webCommand,
      drainCommand,
      backfillCommand,
      focusCommand,
      logsCommand,
      monitorCommand,
      mcpCommand,
      doctorCommand,
      scopeCommand,
    ],
    examples: ['memd up', 'memd info', 'mem search "why did we drop redis"'],
  },
  io,
  process.argv.slice(2),
).then((code) => {
  process.exitCode = code;
});
