import type { ParameterOperation, Word as WordNode, WordPart } from 'unbash';
import { hasUnread, type Piece, plain, unread } from '../../boundary/index.ts';
import type { State } from './state.ts';
import { unknownWord } from './stdin.ts';

type Expansion = WordPart & { type: 'ParameterExpansion' };
/** The pieces that a word within an expansion stands for. */
type Read = (word: WordNode) => readonly Piece[];

/** What `${...}` may stand for; undefined when nothing sets it. Operations that few lines use may give any text. */
export function expansionOf(part: Expansion, state: State, read: Read): readonly Piece[] | undefined {
  if (part.prefix === '#') return [plain(unread.number)];
  if (part.prefix === '!') return [unknownWord];
  const index = part.index?.text;
  const values = withJoined(valuesNamed(part.parameter, state), index === '*' ? '*' : part.parameter);
  const { operation } = part;
  switch (operation?.type) {
    case undefined:
      return values;
    case 'Default':
      return defaulted(part.parameter, operation, values, state, read);
    case 'Slice':
      return /^[@*]$/.test(index ?? part.parameter) ? values : [unknownWord];
    case 'Remove':
      return values?.flatMap((piece) =>
        read(operation.operand).map((pattern) => withoutPart(piece, operation.operator, pattern)),
      );
    case 'Replace': {
      const by = onlyText(read(operation.replacement));
      const what = onlyText(read(operation.pattern));
      return values?.map((piece) => replaced(piece, operation.operator, what, by));
    }
    case 'CaseModification':
    case 'Names':
    case 'Transform':
    case 'Unknown':
      return [unknownWord];
  }
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
  const either = [...(values ?? []), ...other];
  if (operator.endsWith('=')) state.variables.set(name, either);
  return either;
}

/** `${X#a}`, `${X##*a}`, `${X%a}`, `${X%%a*}`: a plain text, with a star on the outer side or without. */
function withoutPart(piece: Piece, operator: '#' | '##' | '%' | '%%', pattern: Piece): Piece {
  const text = onlyText([piece]);
  const isStart = operator.startsWith('#');
  const glob = pattern.pattern;
  const part = glob === null ? pattern.text : glob.replace(isStart ? /^\*+/ : /\*+$/, '');
  if (text === null || hasUnread(part) || (glob !== null && /[*?[(\\]/.test(part))) return unknownWord;
  if (part === (glob ?? pattern.text)) {
    const isThere = isStart ? text.startsWith(part) : text.endsWith(part);
    if (!isThere || part === '') return plain(text);
    return plain(isStart ? text.slice(part.length) : text.slice(0, -part.length));
  }
  const isFirst = operator === '#' || operator === '%%';
  const at = isFirst ? text.indexOf(part) : text.lastIndexOf(part);
  if (at === -1) return plain(text);
  return plain(isStart ? text.slice(at + part.length) : text.slice(0, at));
}

/** `${X/a/b}` and `${X//a/b}` of plain texts. */
function replaced(piece: Piece, operator: string, what: string | null, by: string | null): Piece {
  const text = onlyText([piece]);
  if (text === null || what === null || what === '' || by === null) return unknownWord;
  if (operator === '//') return plain(text.replaceAll(what, () => by));
  return operator === '/' ? plain(text.replace(what, () => by)) : unknownWord;
}

/** The one text that a word stands for; null when there are several, or a part of it is unknown. */
export function onlyText(pieces: readonly Piece[] | undefined): string | null {
  const [piece, ...others] = pieces ?? [];
  if (piece === undefined || others.length > 0 || piece.pattern !== null || hasUnread(piece.text))
    return null;
  return piece.text.includes('\u0000') ? null : piece.text;
}
