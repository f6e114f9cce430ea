import { jsonText } from '#core/event';
import { Failure, inSentences } from '#core/platform';
import type { Severity } from '#service/info';
import { checks, type Examined, examine, type Finding } from '#surfaces/health';
import { version } from '../../../core/version.ts';
import { ensureDaemon, workspaceOf } from '../daemon-link.ts';
import type { Io } from '../io.ts';
import { type AddCommand, command, Unsuccessful } from '../program.ts';
import { withProgress } from '../progress.ts';
import { inWidth } from '../show.ts';
import { capital, printable } from '../words.ts';

export const doctorCommand: AddCommand = (program, io) => {
  command(program, 'doctor', 'find problems of this memory and repair them', [
    'memd doctor',
    'memd doctor --fix',
    'memd doctor --json',
  ])
    .option('--fix', 'repair what can be repaired; stops the daemon meanwhile if necessary')
    .action(async (options: { fix?: boolean; json?: boolean }) => {
      const examined = await examineHere(options.fix === true, io);
      const isWell = examined.findings.every(({ severity }) => severity === 'note');
      io.out(
        options.json ? jsonText({ ok: isWell, ...inJson(examined) }, 2) : describe(examined, isWell, io),
      );
      if (!isWell) throw new Unsuccessful();
    });
};

async function examineHere(fix: boolean, io: Io): Promise<Examined> {
  let workspace: ReturnType<typeof workspaceOf>;
  try {
    workspace = workspaceOf(io);
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    return { findings: [noWorkspace(error)], fixed: [] };
  }
  return withProgress(io, 'examining', (progress) =>
    examine(
      { workspace, version, env: io.env, progress: (text) => progress.say(text) },
      {
        checks,
        fix,
        start: () => ensureDaemon(workspace, io),
        note: (text) => io.note(`memd: ${text}`),
      },
    ),
  );
}

function noWorkspace({ what, repair }: Failure): Finding {
  return {
    code: 'workspace',
    severity: 'error',
    sentence: 'HOME, MEMD_NS or the current folder names no memory',
    detail: what,
    repair: repair ?? 'run it in the folder of a project',
    isFixable: false,
  };
}

/** The stable shape of `--json`: its names are older than those of the code. */
function inJson({ findings, fixed }: Examined): object {
  return {
    findings: findings.map(({ isFixable, ...rest }) => ({ ...rest, isMendable: isFixable })),
    mended: fixed.map(({ isFixable, did, ...rest }) => ({ ...rest, isMendable: isFixable, did })),
  };
}

const styles = {
  error: 'red',
  warning: 'yellow',
  note: 'dim',
  fixed: 'green',
} as const satisfies Record<Severity | 'fixed', Parameters<Io['style']>[0]>;

const order: readonly Severity[] = ['error', 'warning', 'note'];

/** What was repaired, then what is wrong, the worst first. */
function describe({ findings, fixed }: Examined, isWell: boolean, io: Io): string {
  const line = (word: keyof typeof styles, { code, sentence, detail }: Finding, next: string): string => {
    const text = `${code}: ${printable(inSentences(`${capital(sentence)}: ${detail}`, next))}`;
    const shown = inWidth(text, io, 9);
    return `${io.style(styles[word], word.padEnd(8))} ${shown}`;
  };
  const sorted = order.flatMap((severity) => findings.filter((one) => one.severity === severity));
  const summary = `${io.style('green', 'No problems found')} (${checks.length} checks, listed in docs/operations.md).`;
  return [
    ...fixed.map((one) => line('fixed', one, one.did)),
    ...sorted.map((one) => line(one.severity, one, one.repair)),
    ...(isWell ? [summary] : []),
  ].join('\n');
}
