#!/usr/bin/env node
import { Failure, keepOwnRights, messageOf } from '#core/platform';
import { monitor, writeToStderr } from './monitor.ts';

const help = `Usage: monitor.mjs [OPTIONS]

\`memd monitor\` as one file that needs only Node; \`memd monitor --help\` explains the options:
--interval S, --once
`;

keepOwnRights();
const argv = process.argv.slice(2);
if (argv.includes('-h') || argv.includes('--help')) process.stdout.write(help);
else {
  try {
    process.exitCode = await monitor(argv, process.env, process.cwd());
  } catch (error) {
    writeToStderr(`monitor: ${error instanceof Failure ? '' : 'unexpected: '}${messageOf(error)}`);
    process.exitCode = 1;
  }
}
