import type { Word as WordNode, WordPart } from 'unbash';
import { hasUnread, type Piece, plain, unread } from '#guard/boundary';
import type { State } from './state.ts';
import { unknownWord } from './stdin.ts';

type Expansion = WordPart & { type: 'ParameterExpansion' };
/** The pieces that a word within an expansion stands for. */
type Read = (word: WordNode) => readonly Piece[];

/** What `${...}` may stand for; undefined when nothing sets it. Operations that few lines use may give any text. */
export function expansionOf(part: Expansion, state: State, read: Read): readonly Piece[] | undefined {
  if (part.prefix === '#') return [plain(unread.number)];
  if (part.prefix === '!') return [unknownWord];
  const values = withJoined(valuesNamed(part.parameter, state), part.index?.text ?? part.parameter);
  const { operation } = part;
  if (operation === undefined) return values;
  if (operation.type === 'Default') {
    if (operation.operator.endsWith('?')) return values;
    const other = read(operation.operand);
    const isAssigned = operation.operator.endsWith('=');
    if (isAssigned) state.variables.set(part.parameter, [...(values ?? []), ...other]);
    if (operation.operator.endsWith('+')) return [plain(''), ...(values === undefined ? [] : other)];
    return [...(values ?? []), ...other];
  }
  if (operation.type !== 'Remove') return [unknownWord];
  // `${f%.js}`: a plain text at the end.
  const end = onlyText(read(operation.operand));
  if (end === null || operation.operator.startsWith('#')) return [unknownWord];
  return values?.map((piece) => {
    const text = onlyText([piece]);
    if (text === null) return unknownWord;
    return plain(text.endsWith(end) && end !== '' ? text.slice(0, -end.length) : text);
  });
}

/** What `$name` may be: for an array every element, undefined when nothing sets it. */
export function valuesNamed(name: string, state: State): readonly Piece[] | undefined {
  if (name === '@' || name === '*') return state.positional;
  if (!/^[1-9]\d*$/.test(name)) return state.valuesOf(name);
  if (state.isShifted) return state.positional;
  const word = state.positional[Number(name) - 1];
  return word === undefined ? undefined : [word];
}

/** In quotes `$*` is one text, joined by a character of IFS. */
export function withJoined(words: readonly Piece[] | undefined, name: string): readonly Piece[] | undefined {
  return name === '*' && words !== undefined && words.length > 1 ? [...words, unknownWord] : words;
}

/** The one text that a word stands for; null when there are several, or a part of it is unknown. */
export function onlyText(pieces: readonly Piece[] | undefined): string | null {
  const [piece, ...others] = pieces ?? [];
  if (piece === undefined || others.length > 0 || piece.pattern !== null || hasUnread(piece.text))
    return null;
  return piece.text.includes('\u0000') ? null : piece.text;
}
