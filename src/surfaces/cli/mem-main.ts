import { keepOwnRights } from '../../core/platform/index.ts';
import { answersAtOnce } from './at-once.ts';

keepOwnRights();

const argv = process.argv.slice(2);

// The script `mem`.
if (!answersAtOnce('mem', argv)) void run();

async function run(): Promise<void> {
  const [{ runProgram }, { systemIo }, { mem }] = await Promise.all([
    import('./program.ts'),
    import('./io.ts'),
    import('./mem.ts'),
  ]);
  process.exitCode = await runProgram(mem, systemIo(), argv);
}
