import path from 'node:path';
import type { PlannedCall } from '#assistants/form';
import { isObject, type Json, toolFamily } from '#core/event';
import { realOrSame } from '#core/platform';
import { compileGlob, type Piece, type Target } from '#guard/boundary';
import { readScript } from '#reading/shell';

/** Whether a call is what a rule is said at: a command's words, a path or words that are written. `targets` is what it writes, `root` the project's folder. */
export function concerns(
  { on, form }: { readonly on: string; readonly form: string },
  call: PlannedCall,
  targets: readonly Target[],
  root: string,
): boolean {
  if (on === 'path') return writesPath(form, call, targets, root);
  const family = toolFamily(call.tool);
  if (on === 'command') return family === 'command' && runs(form.split(/\s+/), commandOf(call.input));
  return on === 'word' && (family === 'edit' || family === 'command') && holdsWord(form, call.input);
}

function commandOf(input: Json): string {
  const words = isObject(input) ? (input.command ?? input.cmd ?? input.commands) : input;
  if (Array.isArray(words)) return words.filter((word) => typeof word === 'string').join(' ');
  return typeof words === 'string' ? words : '';
}

/** `git push --force` is also `cd x && git push origin --force`: one command has these words in this order, the program first. */
function runs(form: readonly string[], command: string): boolean {
  const { pipelines } = readScript(command);
  return pipelines
    .flatMap(({ commands }) => commands)
    .some((words) => {
      const start = words.findIndex((word) => !leads.test(word));
      const [program = '', ...rest] = words.slice(start === -1 ? words.length : start);
      if (program !== form[0] && path.basename(program) !== form[0]) return false;
      let at = 1;
      for (const word of rest) if (word === form[at]) at += 1;
      return at === form.length;
    });
}

const leads = /^(?:sudo|env|time|nohup)$/;
function writesPath(glob: string, { cwd }: PlannedCall, targets: readonly Target[], root: string): boolean {
  const matches = compileGlob(glob);
  return targets.some((target) =>
    piecesOf(target).some(({ text }) => {
      const file = path.resolve(target.at.from[0] ?? cwd ?? root, text);
      const real = path.join(realOrSame(path.dirname(file)), path.basename(file));
      const below = path.relative(realOrSame(root), real);
      return matches(below) || (!glob.includes('/') && matches(path.basename(real)));
    }),
  );
}

function piecesOf(target: Target): readonly Piece[] {
  if (target.kind === 'path') return [target.piece];
  return target.kind === 'copy' ? [target.to] : [];
}

/** In what is new: an edit names the old text as well. */
function holdsWord(word: string, input: Json): boolean {
  const escaped = word.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&');
  const form = new RegExp(`(?<![\\p{L}\\p{N}_])${escaped}(?![\\p{L}\\p{N}_])`, 'iu');
  const found = (value: Json): boolean => {
    if (typeof value === 'string') return form.test(addedIn(value));
    if (Array.isArray(value)) return value.some(found);
    return (
      isObject(value) &&
      Object.entries(value).some(([key, one]) => !/^old|path|description/i.test(key) && found(one))
    );
  };
  return found(input);
}

function addedIn(text: string): string {
  if (!text.includes('*** Begin Patch')) return text;
  return text
    .split('\n')
    .filter((line) => line.startsWith('+'))
    .join('\n');
}
