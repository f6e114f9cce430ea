import path from 'node:path';
import { oneLine } from '#core/text';
import type { Denial } from './path-policy.ts';
import type { Scope } from './scope.ts';

/** A denial as one sentence for the assistant and the user. */
export function denialSentence(denial: Denial): string {
  const { context } = denial;
  const name = shown(denial.path);
  const leads = denial.real === denial.path ? '' : ` (${shown(denial.real)})`;
  const file = shown(path.relative(context.roots[0] ?? '/', context.file) || context.file);
  return `memd: ${name}${leads} may not be written: ${why(denial, context.scope, file)}. Only the user changes these rules.`;
}

function why({ by, rule }: Denial, scope: Scope, file: string): string {
  if (by === 'loop') return 'its symbolic links form a cycle';
  if (by === 'unread') {
    const may =
      rule === null
        ? `it may be a path that ${file} protects or does not allow`
        : `it may be a path that "${shown(rule)}" in the deny rules of ${file} forbids`;
    return `a part of it (?) is known only when the command has run, and ${may}. Write the path out, or set the variable to a plain text in the same command`;
  }
  if (by === 'scope') return `it is, or holds, ${file}, which is protected while it is in force`;
  if (by === 'deny') return `"${shown(rule ?? '')}" in the deny rules of ${file} forbids it`;
  const allow = scope.state === 'on' ? (scope.allow ?? []) : [];
  const globs =
    allow.slice(0, shownGlobsMax).map(shown).join(', ') + (allow.length > shownGlobsMax ? ', ...' : '');
  return `the allow rules of ${file} do not cover it (${globs === '' ? 'they allow nothing' : globs})`;
}

const shownGlobsMax = 8;
const shownCharsMax = 300;

function shown(text: string): string {
  return oneLine(text.replace(/[\u0000-\u0003]/g, '?'), shownCharsMax);
}
