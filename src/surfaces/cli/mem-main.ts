import { keepOwnRights } from '../../core/platform/index.ts';
import { printsHelp } from './help-text.ts';

keepOwnRights();

const argv = process.argv.slice(2);

if (!printsHelp('mem', argv)) void run();

async function run(): Promise<void> {
  const [{ runProgram }, { systemIo }, { mem }] = await Promise.all([
    import('./program.ts'),
    import('./io.ts'),
    import('./mem.ts'),
  ]);
  process.exitCode = await runProgram(mem, systemIo(), argv);
}
