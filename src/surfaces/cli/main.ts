import { keepOwnRights } from '../../core/platform/index.ts';
import { answersAtOnce } from './at-once.ts';
import { isHookCall, loadHook } from './hook-program.ts';
import { loadMcpServer } from './mcp-server.ts';

keepOwnRights();

const argv = process.argv.slice(2);

// The script `memd`. An assistant starts `memd mcp` at each session, and may run `memd hook` at each call: neither waits until all
// other commands are loaded.
if (argv.length === 1 && argv[0] === 'mcp') loadMcpServer();
else if (isHookCall(argv)) loadHook(argv.slice(1));
else if (!answersAtOnce('memd', argv)) void run();

async function run(): Promise<void> {
  const [{ runProgram }, { systemIo }, { memd }] = await Promise.all([
    import('./program.ts'),
    import('./io.ts'),
    import('./memd.ts'),
  ]);
  process.exitCode = await runProgram(memd, systemIo(), argv);
}
