import { jsonText } from '../../../core/event/index.ts';
import { Failure } from '../../../core/platform/index.ts';
import { type Severity, version } from '../../../service/info/index.ts';
import { checks, type Examined, examine, type Finding } from '../../health/index.ts';
import { ensureDaemon, workspaceOf } from '../daemon-link.ts';
import type { Io } from '../io.ts';
import { type AddCommand, command, Unsuccessful } from '../program.ts';
import { printable } from '../words.ts';

export const doctorCommand: AddCommand = (program, io) => {
  command(program, 'doctor', 'look for what is wrong with this memory, and mend it', [
    'memd doctor',
    'memd doctor --fix',
    'memd doctor --json',
  ])
    .option('--fix', 'mend what can be mended; stops the daemon meanwhile where it must')
    .option('--json', 'as JSON, in a stable shape')
    .action(async (options: { fix?: boolean; json?: boolean }) => {
      const examined = await examineHere(options.fix === true, io);
      const isWell = examined.findings.every(({ severity }) => severity === 'note');
      io.out(options.json ? jsonText({ ok: isWell, ...examined }, 2) : describe(examined, io));
      if (!isWell) throw new Unsuccessful();
    });
};

async function examineHere(fix: boolean, io: Io): Promise<Examined> {
  let workspace: ReturnType<typeof workspaceOf>;
  try {
    workspace = workspaceOf(io);
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    return { findings: [noWorkspace(error)], mended: [] };
  }
  const progress = (text: string): void => io.progress(text);
  return examine(
    { workspace, version, env: io.env, progress },
    {
      checks,
      fix,
      start: () => ensureDaemon(workspace, io),
      note: (text) => io.note(`memd: ${text}`),
    },
  );
}

/** HOME, MEMD_NS or the project's folder is none: there is nothing that could be looked at. */
function noWorkspace({ what, repair }: Failure): Finding {
  return {
    code: 'workspace',
    severity: 'error',
    sentence: 'it cannot be told which memory is meant',
    detail: what,
    repair: repair ?? 'call it in the folder of a project',
    isFixable: false,
  };
}

const styles = {
  error: 'red',
  warning: 'yellow',
  note: 'dim',
  mended: 'green',
} as const satisfies Record<Severity | 'mended', Parameters<Io['style']>[0]>;

const order: readonly Severity[] = ['error', 'warning', 'note'];

/** What was mended, then what is wrong, the worst first. */
function describe({ findings, mended }: Examined, io: Io): string {
  const line = (word: Severity | 'mended', { code, sentence, detail }: Finding, then: string): string =>
    `${io.style(styles[word], word.padEnd(8))} ${code}: ${sentence}: ${printable(detail)}; ${printable(then)}`;
  const sorted = order.flatMap((severity) => findings.filter((one) => one.severity === severity));
  const lines = [
    ...mended.map((one) => line('mended', one, one.did)),
    ...sorted.map((one) => line(one.severity, one, one.repair)),
  ];
  const isWell = findings.every(({ severity }) => severity === 'note');
  const checked = `${checks.length} checks; docs/operations.md has them all`;
  return [...lines, ...(isWell ? [`${io.style('green', 'all is well')} (${checked})`] : [])].join('\n');
}
