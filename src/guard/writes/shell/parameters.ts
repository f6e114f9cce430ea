import type { ParameterOperation, Word as WordNode, WordPart } from 'unbash';
import { hasUnread, isAnywhere, type Piece, plain, unread } from '../../boundary/index.ts';
import { replaced, withoutPart } from './patterns.ts';
import type { State } from './state.ts';

type Expansion = WordPart & { type: 'ParameterExpansion' };
/** The pieces that a word within an expansion stands for. */
type Read = (word: WordNode) => readonly Piece[];

/** What `${...}` may stand for; undefined when nobody sets it. */
export function expansionOf(part: Expansion, state: State, read: Read): readonly Piece[] | undefined {
  const index = part.index === undefined ? undefined : onlyOf(read(part.index));
  if (part.prefix === '#') return [plain(unread.number)];
  if (part.prefix === '!') return indirect(part, index, state);
  const values = elementsNamed(part.parameter, index, state);
  const { operation } = part;
  if (operation === undefined) return values;
  if (operation.type === 'Default') return defaulted(part.parameter, operation, values, state, read);
  // A part of a list: which of its elements is not worked out.
  if (operation.type === 'Slice' && /^[@*]$/.test(index ?? part.parameter)) return values;
  return values?.flatMap((piece) => changed(piece, operation, read));
}

/** `${name[index]}`, `$1`, `$@`; all elements for an index that is not a plain number. */
export function elementsNamed(
  name: string,
  index: string | undefined,
  state: State,
): readonly Piece[] | undefined {
  if (name === '@') return state.positional;
  if (name === '*') return withJoined(state.positional, state);
  if (/^[1-9]\d*$/.test(name)) {
    if (state.isShifted) return state.positional;
    const word = state.positional[Number(name) - 1];
    return word === undefined ? undefined : [word];
  }
  if (index === undefined) return state.valuesOf(name);
  const number = /^-?\d{1,6}$/.test(index) ? Number(index) : undefined;
  const elements = state.variables.elements(name, number) ?? state.valuesOf(name);
  return index === '*' && elements !== undefined ? withJoined(elements, state) : elements;
}

/** In quotes `$*` is one text, with the first sign of IFS between the words. */
function withJoined(words: readonly Piece[], state: State): readonly Piece[] {
  const between = state.valuesOf('IFS')?.[0]?.text.slice(0, 1) ?? ' ';
  if (words.length < 2 || words.some(({ pattern }) => pattern !== null)) return words;
  return [...words, plain(words.map(({ text }) => text).join(between))];
}

/** `${!name}`: the variable that another one names. */
function indirect(part: Expansion, index: string | undefined, state: State): readonly Piece[] | undefined {
  if (part.operation !== undefined) return undefined;
  if (index !== undefined) return [plain(unread.name)];
  const names = elementsNamed(part.parameter, undefined, state);
  const values = names?.map(({ text }) => {
    const [, name = '', inner] = /^(\w+)(?:\[(.*)\])?$/.exec(text) ?? [];
    return name === '' ? undefined : elementsNamed(name, inner, state);
  });
  return values?.every((one) => one !== undefined) === true ? values.flat() : undefined;
}

function defaulted(
  name: string,
  { operator, operand }: ParameterOperation & { type: 'Default' },
  values: readonly Piece[] | undefined,
  state: State,
  read: Read,
): readonly Piece[] | undefined {
  if (operator.endsWith('?')) return values;
  const other = read(operand);
  if (operator.endsWith('+')) return values === undefined ? [plain('')] : [plain(''), ...other];
  const isSure = values?.every(({ text }) => text !== '' && !hasUnread(text)) === true;
  if (isSure) return values;
  if (operator.endsWith('=')) state.variables.set(name, [...(values ?? []), ...other]);
  return [...(values ?? []), ...other];
}

function changed(piece: Piece, operation: ParameterOperation, read: Read): readonly Piece[] {
  // What a pattern finds is not known here.
  const text = piece.pattern === null && !piece.text.includes('\u0000') ? piece.text : unread.any;
  if (isAnywhere(text)) return [plain(unread.any)];
  return textsOf(text, operation, read).map((one) => plain(one ?? unread.any));
}

/** Null for what is not worked out. */
function textsOf(text: string, operation: ParameterOperation, read: Read): readonly (string | null)[] {
  switch (operation.type) {
    case 'Remove':
      return read(operation.operand).map((pattern) => withoutPart(text, operation.operator, globOf(pattern)));
    case 'Replace': {
      const by = onlyOf(read(operation.replacement)) ?? null;
      return read(operation.pattern).map((pattern) =>
        by === null || hasUnread(by) ? null : replaced(text, operation.operator, globOf(pattern), by),
      );
    }
    case 'Slice': {
      const offset = numberOf(onlyOf(read(operation.offset)));
      const length = operation.length === undefined ? text.length : numberOf(onlyOf(read(operation.length)));
      if (offset === null || length === null || hasUnread(text)) return [null];
      const start = offset < 0 ? text.length + offset : offset;
      return [text.slice(start, length < 0 ? text.length + length : start + length)];
    }
    case 'CaseModification': {
      const change = (one: string): string =>
        operation.operator.startsWith('^') ? one.toUpperCase() : one.toLowerCase();
      const all =
        operation.operator.length === 2 ? change(text) : `${change(text.slice(0, 1))}${text.slice(1)}`;
      return operation.operand === undefined ? [all] : [all, text, null];
    }
    case 'Transform':
      return [transformed(text, onlyOf(read(operation.operand)) ?? '')];
    case 'Default':
    case 'Names':
    case 'Unknown':
      return [null];
  }
}

function transformed(text: string, kind: string): string | null {
  switch (kind) {
    case 'U':
      return text.toUpperCase();
    case 'L':
      return text.toLowerCase();
    case 'u':
      return `${text.slice(0, 1).toUpperCase()}${text.slice(1)}`;
    case 'E':
      return unescaped(text);
    case 'Q':
      return `'${text.replaceAll("'", "'\\''")}'`;
    default:
      return null;
  }
}

/** The escapes of `$'...'`, `echo -e` and `printf`. */
export function unescaped(text: string): string {
  const named: Readonly<Record<string, string>> = {
    n: '\n',
    t: '\t',
    r: '\r',
    a: '\u0007',
    b: '\b',
    f: '\f',
    v: '\v',
    e: '\u001b',
    E: '\u001b',
  };
  const escapes = /\\(?:x([\da-f]{1,2})|u([\da-f]{1,4})|U([\da-f]{1,8})|0?([0-7]{1,3})|(.))/gis;
  return text.replace(
    escapes,
    (whole, byte?: string, short?: string, long?: string, octal?: string, char?: string) => {
      const hex = byte ?? short ?? long;
      const code = hex === undefined ? Number.parseInt(octal ?? 'x', 8) : Number.parseInt(hex, 16);
      if (Number.isInteger(code)) return code <= 0x10ffff ? String.fromCodePoint(code) : whole;
      return Object.hasOwn(named, char ?? '')
        ? (named[char ?? ''] ?? whole)
        : /[\\'"?]/.test(char ?? '')
          ? (char ?? '')
          : whole;
    },
  );
}

function globOf({ text, pattern }: Piece): string {
  return pattern ?? text.replace(/[\\*?[\]]/g, '\\$&');
}

function onlyOf(pieces: readonly Piece[]): string | undefined {
  return pieces.length === 1 ? pieces[0]?.text : undefined;
}

function numberOf(text: string | undefined): number | null {
  return text !== undefined && /^\s*\(?\s*-?\d{1,9}\s*\)?\s*$/.test(text)
    ? Number(text.replace(/[()\s]/g, ''))
    : null;
}
