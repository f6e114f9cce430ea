import { redactBlockCharsMax } from '../../core/limits.ts';
import { valuesInBlocks } from './kubernetes-block.ts';
import { readBraces } from './kubernetes-flow.ts';
import { ranks, type Scanner } from './rule.ts';

/**
 * The values of `data` and `stringData` in a Kubernetes Secret, in JSON or YAML, also inside strings; and the
 * arguments of `kubectl create secret`.
 */
export const kubernetesSecrets: Scanner = {
  keywords: ['secret', '--from-literal'],
  begin(text, add, notes) {
    const emit = ({ start, end }: { start: number; end: number }) =>
      add({ start, end, kind: 'kubernetes-secret', rank: ranks.token });
    let isRead = false;
    let coveredUpTo = 0;
    const makesSecretAt = readCommands(text);
    return (start, end) => {
      if (start < coveredUpTo) return;
      if (text.startsWith('-', start)) {
        if (!makesSecretAt(start)) return;
        const value = literalAt(text, start);
        coveredUpTo = value?.end ?? end;
        if (value !== undefined && !/^\$[{(\w]/.test(text.slice(value.start, value.start + 2))) emit(value);
        return;
      }
      if (!mayBegin.test(text.charAt(start - 1))) return;
      const before = text.slice(Math.max(0, start - 64), start);
      const after = text.slice(end, end + 24);
      if (/\b(?:patch|replace|apply)[ \t]+$/.test(before)) {
        // `kubectl patch secret x -p '{"data": {...}}'`: the braces do not name the kind.
        coveredUpTo = endOfLine(text, end);
        readBraces({ text, from: end, to: coveredUpTo }, 'secret').values.forEach(emit);
        return;
      }
      if (!isKind.test(before) || !endsKind.test(after)) return;
      notes.isPrefixed = true;
      notes.hasLooseEnd = true;
      if (isRead) return;
      // One reading finds every Secret in the text.
      isRead = true;
      readBraces({ text, from: 0, to: text.length }, 'text').values.forEach(emit);
      valuesInBlocks(text).forEach(emit);
    };
  },
};

/** Rejects nearly every `secret` cheaply. */
const mayBegin = /[\s:"']/;
const isKind =
  /(?:^|[^A-Za-z_]|\\[nrt]|\[[0-9;]{0,16}[A-Za-z])kind\\{0,8}["']?[ \t]{0,8}:[ \t\n]{0,8}(?:[!&][^\s]{1,40}[ \t]{1,4})?\\{0,8}["']?$/;
const endsKind = /^(?:List)?(?![\w.]|-(?!\]))/;

function endOfLine(text: string, from: number): number {
  const part = text.slice(from, from + redactBlockCharsMax);
  const length = part.indexOf('\n');
  return from + (length === -1 ? part.length : length);
}

/**
 * Whether the last `kubectl create` before an offset makes a Secret. Asked in ascending order, so that each part is read once.
 */
function readCommands(text: string): (at: number) => boolean {
  let readUpTo = 0;
  let last = { end: 0, makesSecret: false };
  return (at) => {
    const from = Math.max(readUpTo - 64, at - commandCharsMax, 0);
    for (const match of text.slice(from, at).matchAll(/\bcreate\s{1,40}(secret|configmap|cm)\b/g))
      last = { end: from + match.index + match[0].length, makesSecret: match[1] === 'secret' };
    readUpTo = at;
    return last.makesSecret && at - last.end <= commandCharsMax;
  };
}

const commandCharsMax = 2_000;

const literal = /--from-literal[= ]\s?(?:\\{0,8}["'])?[\w.-]{1,128}=(\\{0,8}["'])?/y;

/** The value in `--from-literal=name=value`. */
function literalAt(text: string, start: number): { start: number; end: number } | undefined {
  literal.lastIndex = start;
  if (!literal.test(text)) return undefined;
  const from = literal.lastIndex;
  const value = /^(?:[^\s"'\\]|\\[^nrt"'])+/.exec(text.slice(from, from + redactBlockCharsMax))?.[0] ?? '';
  return { start: from, end: from + value.length };
}
