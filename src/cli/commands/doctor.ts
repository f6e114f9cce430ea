import { checks, type Examined, examine, type Finding, type Severity } from '../../health/index.ts';
import { version } from '../../info/index.ts';
import { ensureDaemon, workspaceOf } from '../daemon-link.ts';
import type { Io } from '../io.ts';
import { type AddCommand, command, Unsuccessful } from '../program.ts';
import { harmless } from '../words.ts';

export const doctorCommand: AddCommand = (program, io) => {
  command(program, 'doctor', 'look for what is wrong with this memory, and mend it', [
    'memd doctor',
    'memd doctor --fix',
    'memd doctor --json',
  ])
    .option('--fix', 'mend what can be mended; stops the daemon meanwhile where it must')
    .option('--json', 'as JSON, in a stable shape')
    .action(async (options: { fix?: boolean; json?: boolean }) => {
      const workspace = workspaceOf(io);
      const subject = { workspace, version, progress: (text: string) => io.progress(text) };
      const examined = await examine(subject, {
        checks,
        fix: options.fix === true,
        start: () => ensureDaemon(workspace, io),
        note: (text) => io.note(`memd: ${text}`),
      });
      const isWell = examined.findings.every(({ severity }) => severity === 'note');
      io.out(options.json ? JSON.stringify({ ok: isWell, ...examined }, null, 2) : describe(examined, io));
      if (!isWell) throw new Unsuccessful();
    });
};

const styles: Readonly<Record<Severity | 'mended', Parameters<Io['style']>[0]>> = {
  error: 'red',
  warning: 'yellow',
  note: 'dim',
  mended: 'green',
};

function describe({ findings, mended }: Examined, io: Io): string {
  const line = (word: Severity | 'mended', { code, sentence, detail, repair }: Finding): string => {
    const what = `${code}: ${sentence}: ${harmless(detail)}`;
    return `${io.style(styles[word], word.padEnd(8))} ${word === 'mended' ? what : `${what}; ${repair}`}`;
  };
  const lines = [
    ...mended.map((one) => line('mended', one)),
    ...findings.map((one) => line(one.severity, one)),
  ];
  const isWell = findings.every(({ severity }) => severity === 'note');
  const checked = `${checks.length} checks: ${checks.map(({ code }) => code).join(', ')}`;
  return [...lines, ...(isWell ? [`${io.style('green', 'all is well')} (${checked})`] : [])].join('\n');
}
