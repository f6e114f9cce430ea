import { isIdle, withoutLead } from './lead.ts';
import { isPassedOn, type Mark, marksOf, ownLines } from './marks.ts';
import type { Pipeline } from './script.ts';
import { lists, placeIn, verifies } from './verifies.ts';

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
  /** When the script succeeds, this step has passed. */
  readonly mustPass: boolean;
  /** Another command runs when it fails, and hides that: `|| echo`. */
  readonly hasStandIn: boolean;
  /** Nobody waits for it: the call ends before it does. */
  readonly isBackground: boolean;
  /** How the script itself says how it ended. */
  readonly marks: readonly Mark[];
  /** What it prints goes to a file. */
  readonly isDiverted: boolean;
  /** Where it runs, from the folder in which the script begins. */
  readonly folder: string;
  /** A loop runs it until it passes. */
  readonly isAwaited: boolean;
  /** The lines that the script prints before and after it: its own output is between them. */
  readonly above: RegExp | null;
  readonly below: RegExp | null;
}

export interface Steps {
  readonly steps: readonly Step[];
  /** What the script prints by itself. */
  readonly ownLines: readonly RegExp[];
}

/** The steps of a script in their order. Commands that only look or print are not steps (`echo`, `sleep`, `ls`). */
export function stepsOf(pipelines: readonly Pipeline[]): Steps {
  const steps = pipelines.flatMap((_, at) => stepAt(pipelines, at) ?? []);
  return { steps, ownLines: ownLines(pipelines) };
}

function stepAt(pipelines: readonly Pipeline[], at: number): Step | null {
  const pipeline = pipelines[at];
  if (pipeline === undefined) return null;
  const { commands, mustPass, isBackground, isDiverted, folder, isAwaited } = pipeline;
  const [first = [], ...filters] = commands;
  const words = plainWords(first);
  const [program] = words;
  if (program === undefined || isIdle(program) || looking.test(program) || lists(words)) return null;
  const isCheck = verifies(words);
  // A filter on its output does not change which check it is.
  const kept = isCheck
    ? []
    : filters.filter((filter) => !isPager(filter)).map((filter) => plainWords(filter).join(' '));
  const before = pipelines.slice(0, at);
  const isExact = filters.length === 0 || before.some(({ commands: [set = []] }) => failsInPipe(set));
  const isWaitedFor = pipelines.slice(at + 1).some(({ commands: [next = []] }) => next[0] === 'wait');
  return {
    name: [words.join(' '), ...kept].join(' | '),
    words,
    isCheck,
    seen: filters.length === 0 ? 'whole' : filters.every(passesOn) ? 'cut' : 'filtered',
    head: headOf(filters),
    isTest: isCheck && tests.test(words.join(' ')),
    mustPass: isExact && (mustPass || isPassedOn(pipelines, at)),
    hasStandIn: hasStandIn(pipelines.slice(at + 1)),
    isBackground: (isBackground && !isWaitedFor) || launches.test(first.join(' ')),
    marks: marksOf(pipelines, at, isExact),
    ...{ isDiverted, folder, isAwaited },
    above: ownLines(before).at(-1) ?? null,
    below: ownLines(pipelines.slice(at + 1))[0] ?? null,
  };
}

const failing = /^(?:(?:exit|return)(?: (?!0$)\S+)?|false)$/;

/** `|| echo none`, but not `|| exit 1`. */
function hasStandIn(later: readonly Pipeline[]): boolean {
  const next = later.find(({ follows }) => follows !== '&&');
  return next?.follows === '||' && !failing.test(next.commands[0]?.join(' ') ?? '');
}

/** `set -o pipefail`: the pipe fails when one of its commands does. */
function failsInPipe([program = '', ...words]: readonly string[]): boolean {
  return /^set(?:opt)?$/.test(program) && words.includes('pipefail');
}

const tests =
  /(?:^|[\s:._/-])(?:tests?|e2e|spec|vitest|jest|mocha|ava|pytest|unittest|tox|nox|nextest|rspec|phpunit|ctest|bats|gotestsum|playwright|cypress|Pester)(?:$|[\s:._/-])/;

/** The shortest of several `head`s. */
function headOf(filters: readonly (readonly string[])[]): number | null {
  const heads = filters.flatMap((words) => {
    const [found, lines = '10'] =
      /^(?:head|Select-Object -First)(?: (?:-n ?|--lines[= ]|-)?(\d{1,6}))?$/.exec(words.join(' ')) ?? [];
    return found === undefined ? [] : [Number(lines)];
  });
  return heads.length === 0 ? null : Math.min(...heads);
}

/** It starts a command, and ends before it. */
const launches =
  /^(?:setsid (?:-\w*f|--fork)\b|tmux new(?:-session)? (?:.* )?-\w*d|screen -\w*d\w*m|systemd-run (?!.*--(?:wait|pty|pipe|scope)\b)|(?:docker|podman)(?: compose)? run (?:-\S+ (?:[^-\s]\S* )?){0,20}?(?:-\w*d\w*|--detach) |Start-(?:Process|Job)\b(?!.*-Wait\b))/;

const looking = /^(?:pwd|ls|which|tree|wc|date|kill)$/;

function isPager([program = '']: readonly string[]): boolean {
  return /^(?:tail|head|tee|cat|less|sort|uniq|wc|!)$/.test(program);
}

/** Passes on the output or one end of it. `grep -v` leaves out what is known not to matter. */
function passesOn([program = '', ...words]: readonly string[]): boolean {
  if (
    /^(?:tail|head|tee|cat|less|sort|uniq|ts|nl|Tee-Object|Out-(?:String|Host)|ConvertTo-(?:Json|Csv|Xml|Html)|Format-(?:Table|List|Wide))$/.test(
      program,
    )
  )
    return true;
  if (program === 'Select-Object') return /^-(?:Last|First)\b/.test(words.join(' '));
  return (
    program === 'grep' && /^-[a-zA-Z]*v/.test(words[0] ?? '') && !/fail|error|not ok/i.test(words.join(' '))
  );
}

function plainWords(all: readonly string[]): readonly string[] {
  const words = asWritten(withoutLead(all));
  return verifies(words) ? withoutLook(words) : words;
}

/** `npm run test` is `npm test`. */
function asWritten(words: readonly string[]): readonly string[] {
  if (!/^(?:npm|pnpm|yarn)$/.test(words[0] ?? '')) return words;
  const [, verb, target = ''] = placeIn(words).rest;
  const isLong = verb === 'run' && /^(?:test|start)$/.test(target);
  return isLong ? words.toSpliced(words.indexOf('run'), 1) : words;
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
  /^(?:-v{1,3}|-q{1,2}|-s|--verbose|--quiet|--silent|--colou?rs?(?:=.*)?|--no-colou?rs?|--reporter(?:=.*)?|--reporters(?:=.*)?|--tb(?:=.*)?|--nocapture|--pretty(?:=.*)?|--no-progress|--loglevel(?:=.*)?|--format(?:=\w+)?|--force|--no-(?:build|restore|cache)|--hide-skipped-tests|-Output|-CI|-PassThru|--no-header|--durations(?:=.*)?|-count(?:=\d+)?|-timeout(?:=\w+)?|--verbosity(?:[=:].*)?|[-/]v:\w+|--nologo)$/;
const lookValue =
  /^(?:--(?:(?:reporters?|loglevel|verbosity|tb|format) [^-]|pretty (?:true|false)$|colou?rs? (?:always|never|auto)$|durations \d)|-Output \w|-count \d|-timeout \d|-v (?:q(?:uiet)?|m(?:inimal)?|n(?:ormal)?|d(?:etailed)?|diag(?:nostic)?)$)/;
