import { redactBlockCharsMax } from '#core/limits';
import { endAt, type Range, ranks, type Scanner } from '#redact/form';
import { valuesInBlocks } from './block.ts';
import { readBraces } from './flow.ts';

/**
 * The values of `data` and `stringData` in a Kubernetes Secret, in JSON or YAML, also inside strings; and the
 * arguments of `kubectl create secret`.
 */
export const kubernetesSecrets: Scanner = {
  keywords: ['secret', '--from-literal'],
  begin(text, add, notes) {
    const emit = ({ start, end }: Range) => add({ start, end, kind: 'kubernetes-secret', rank: ranks.token });
    let isRead = false;
    const makesSecretAt = readCommands(text);
    return (start, end) => {
      if (text.startsWith('-', start)) {
        if (!makesSecretAt(start)) return 0;
        const value = literalAt(text, start);
        if (value !== undefined && !/^\$[{(\w]/.test(text.slice(value.start, value.start + 2))) emit(value);
        return value?.end ?? end;
      }
      if (!mayBegin.test(text.charAt(start - 1))) return 0;
      const before = text.slice(Math.max(0, start - 64), start);
      if (/\b(?:patch|replace|apply)[ \t]+$/.test(before)) {
        // `kubectl patch secret x -p '{"data": {...}}'`: the braces do not name the kind.
        const to = endOfLine(text, end);
        readBraces({ text, from: end, to }, 'secret').values.forEach(emit);
        return to;
      }
      if (!isKind.test(before) || !endsKind.test(text.slice(end, end + 24))) return 0;
      notes.isPrefixed = true;
      notes.hasLooseEnd = true;
      // One reading finds every Secret in the text.
      if (!isRead)
        for (const found of [
          ...readBraces({ text, from: 0, to: text.length }, 'text').values,
          ...valuesInBlocks(text),
        ])
          emit(found);
      isRead = true;
      return 0;
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
function literalAt(text: string, at: number): Range | undefined {
  const start = endAt(literal, text, at);
  if (start === undefined) return undefined;
  const value = /^(?:[^\s"'\\]|\\[^nrt"'])+/.exec(text.slice(start, start + redactBlockCharsMax))?.[0] ?? '';
  return { start, end: start + value.length };
}
