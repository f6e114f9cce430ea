import { keepOwnRights } from '#core/platform';
import { isHookCall, loadHook } from './hook-program.ts';
import { loadMcpServer } from './mcp-server.ts';
import { runMain } from './run-main.ts';

keepOwnRights();

const argv = process.argv.slice(2);

// Assistants run `memd mcp` at each session and `memd hook` at each call: load nothing else for them.
if (argv.length === 1 && argv[0] === 'mcp') loadMcpServer();
else if (isHookCall(argv)) loadHook(argv.slice(1));
else void runMain('memd', argv);
