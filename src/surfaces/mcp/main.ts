import { version } from '../../core/version.ts';
import { serveMcp } from './index.ts';

// Some clients close it, which must not end the server.
process.stderr.on('error', () => {});

// The entry `dist/mcp.cjs`: loaded by `memd mcp`, or run by itself.
void serveMcp({
  env: process.env,
  cwd: process.cwd(),
  program: new URL('./memd.cjs', import.meta.url),
  version,
  stdin: process.stdin,
  stdout: process.stdout,
  log: (line) => void process.stderr.write(`memd mcp: ${line}\n`),
}).then(() => {
  // A request to a daemon that hangs must not keep the server running.
  process.exit(0);
});
