import { redactBlockCharsMax } from '../../core/limits.ts';
import { valuesInBlocks } from './kubernetes-block.ts';
import { valuesInBraces } from './kubernetes-flow.ts';
import { ranks, type Scanner } from './rule.ts';

/**
 * The values of `data` and `stringData` in a Kubernetes Secret, whatever their names: JSON or YAML, in a list, in
 * braces, inside another string, with its kind before or after them; and what `kubectl` is given to make one.
 */
export const kubernetesSecrets: Scanner = {
  keywords: ['secret', '--from-literal'],
  begin(text, add, notes) {
    const emit = ({ start, end }: { start: number; end: number }) =>
      add({ start, end, kind: 'kubernetes-secret', rank: ranks.token });
    let isRead = false;
    let coveredUpTo = 0;
    return (start, end) => {
      if (start < coveredUpTo) return;
      if (text.startsWith('-', start)) {
        const value = literalAt(text, start);
        if (value !== undefined) emit(value);
        return;
      }
      if (!mayBegin.test(text.charAt(start - 1))) return;
      const before = text.slice(Math.max(0, start - 64), start);
      const after = text.slice(end, end + 24);
      if (/\b(?:patch|replace|apply)[ \t]+$/.test(before)) {
        // `kubectl patch secret x -p '{"data": {...}}'`: nothing in the braces says the kind.
        coveredUpTo = endOfLine(text, end);
        valuesInBraces({ text, from: end, to: coveredUpTo }, 'secret').forEach(emit);
        return;
      }
      if (!isKind.test(before) || !endsKind.test(after)) return;
      notes.isPrefixed = true;
      notes.hasLooseEnd = true;
      if (isRead) return;
      // One reading of the whole text finds every Secret in it: many of them do not mean many readings.
      isRead = true;
      valuesInBraces({ text, from: 0, to: text.length }, 'text').forEach(emit);
      valuesInBlocks(text).forEach(emit);
    };
  },
};

/** Cheap, and false for nearly every `secret`: it stands after a colon, a quote or a space. */
const mayBegin = /[\s:"']/;
const isKind = /(?:^|[^A-Za-z_]|\\[nrt])kind\\{0,8}["']?[ \t]{0,8}:[ \t\n]{0,8}\\{0,8}["']?$/;
const endsKind = /^(?:List)?(?![\w.-])/;

function endOfLine(text: string, from: number): number {
  const end = text.indexOf('\n', from);
  return Math.min(end === -1 ? text.length : end, from + redactBlockCharsMax);
}

const literal = /--from-literal[= ]\s?(?:\\{0,8}["'])?[\w.-]{1,128}=(\\{0,8}["'])?/y;

/** The value in `--from-literal=name=value`, of a Secret rather than a ConfigMap. */
function literalAt(text: string, start: number): { start: number; end: number } | undefined {
  const before = text.slice(Math.max(0, start - 2_000), start);
  const made = [...before.matchAll(/\bcreate\s+(secret|configmap|cm)\b/g)].at(-1);
  literal.lastIndex = start;
  if (made?.[1] !== 'secret' || !literal.test(text)) return undefined;
  const from = literal.lastIndex;
  const value = /^(?:[^\s"'\\]|\\[^nrt"'])+/.exec(text.slice(from, from + redactBlockCharsMax))?.[0] ?? '';
  return /^\$[{(\w]/.test(value) ? undefined : { start: from, end: from + value.length };
}
