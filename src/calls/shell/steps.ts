import { isIdle, withoutLead } from './lead.ts';
import type { Pipeline } from './script.ts';
import { verifies } from './verifies.ts';

/** One command of a script. The same work has the same name, however it was typed. */
export interface Step {
  /** Without variables of the environment, redirections, and options that only change the output. */
  readonly name: string;
  /** Its words, the program first. */
  readonly words: readonly string[];
  /** A check: tests, types, lint or a build. */
  readonly isCheck: boolean;
  /** Whether a pipe passed on the whole output, a part of it, or only selected lines. */
  readonly seen: 'whole' | 'cut' | 'filtered';
  /** The number of first lines that came through; null when the last line did. */
  readonly head: number | null;
  /** A check that runs the code, so the output may hold anything that the code prints. */
  readonly isTest: boolean;
}

export interface Steps {
  readonly steps: readonly Step[];
  /** The script succeeds only if each command does. */
  readonly allMustPass: boolean;
}

/** The steps of a script in their order. Commands that only look or print are not steps (`echo`, `sleep`, `ls`). */
export function stepsOf(pipelines: readonly Pipeline[]): Steps {
  const steps = pipelines.map(stepOf).filter((step) => step !== null);
  const allMustPass =
    pipelines.every(({ mustPass }) => mustPass) && steps.every(({ seen }) => seen === 'whole');
  return { steps, allMustPass };
}

function stepOf({ commands: [first = [], ...filters] }: Pipeline): Step | null {
  const words = plainWords(first);
  const [program] = words;
  if (program === undefined || isIdle(program) || looking.test(program)) return null;
  const isCheck = verifies(words);
  const asking = filters.filter((filter) => !isPager(filter));
  // A filter on its output does not change which check it is.
  const kept = isCheck ? [] : asking.map((filter) => plainWords(filter).join(' '));
  return {
    name: [words.join(' '), ...kept].join(' | '),
    words,
    isCheck,
    seen: asking.length > 0 ? 'filtered' : filters.length > 0 ? 'cut' : 'whole',
    head: headOf(filters),
    isTest: isCheck && tests.test(words.join(' ')),
  };
}

const tests =
  /(?:^|[\s:._/-])(?:tests?|e2e|spec|vitest|jest|mocha|ava|pytest|unittest|tox|nox|nextest|rspec|phpunit|ctest|bats|gotestsum|playwright|cypress)(?:$|[\s:._/-])/;

/** The shortest of several `head`s. */
function headOf(filters: readonly (readonly string[])[]): number | null {
  const heads = filters.flatMap((words) => {
    const [found, lines = '10'] = /^head(?: (?:-n ?|--lines[= ]|-)(\d{1,6}))?$/.exec(words.join(' ')) ?? [];
    return found === undefined ? [] : [Number(lines)];
  });
  return heads.length === 0 ? null : Math.min(...heads);
}

const looking = /^(?:pwd|ls|which|tree|wc|date|kill)$/;

function isPager([program = '']: readonly string[]): boolean {
  return /^(?:tail|head|tee|cat|less|sort|uniq|wc)$/.test(program);
}

function plainWords(all: readonly string[]): readonly string[] {
  const words = asWritten(withoutLead(all));
  return verifies(words) ? withoutLook(words) : words;
}

/** `npm run test` is `npm test`. */
function asWritten(words: readonly string[]): readonly string[] {
  const [program = '', verb, target = ''] = words;
  const isLong = verb === 'run' && /^(?:npm|pnpm|yarn)$/.test(program) && /^(?:test|start)$/.test(target);
  return isLong ? [program, ...words.slice(2)] : words;
}

/** Drops options of a check that only change its output. */
function withoutLook(words: readonly string[]): string[] {
  const kept: string[] = [];
  for (let at = 0; at < words.length; at += 1) {
    const word = words[at] ?? '';
    if (at === 0 || !lookOption.test(word)) kept.push(word);
    else if (lookValue.test(`${word} ${words[at + 1] ?? ''}`)) at += 1;
  }
  while (kept.at(-1) === '--') kept.pop();
  return kept;
}

const lookOption =
  /^(?:-v{1,3}|-q{1,2}|-s|--verbose|--quiet|--silent|--colou?rs?(?:=.*)?|--no-colou?rs?|--reporter(?:=.*)?|--reporters(?:=.*)?|--tb(?:=.*)?|--nocapture|--pretty(?:=.*)?|--no-progress|--loglevel(?:=.*)?|--format=\w+|--hide-skipped-tests|--no-header|--durations(?:=.*)?|-count=\d+)$/;
const lookValue = /^--(?:(?:reporters?|loglevel) [^-]|pretty (?:true|false)$)/;
