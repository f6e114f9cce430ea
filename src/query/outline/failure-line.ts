import { readCommandLine } from './command-line.ts';
import type { Line } from './line.ts';
import type { RunRef } from './session.ts';

export function failureLine(name: string, { id, ts, command, said }: RunRef): Line {
  return { id, ts, text: `\`${readCommandLine(command, name)}\`${said === '' ? '' : `: ${said}`}` };
}
