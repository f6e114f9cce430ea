import { parse, type Word as WordNode, type WordPart } from 'unbash';
import { shellAlternativesMax, shellWordCharsMax } from '#core/limits';
import { type Piece, patternOrName, plain, unread, withoutBraces } from '#guard/boundary';
import { expansionOf, valuesNamed, withJoined } from './parameters.ts';
import type { State } from './state.ts';
import { type Stdin, unknownWord } from './stdin.ts';

/** How a word is read: the unquoted values in a name or an argument are split into words, a value stays whole. */
export type Reading = 'name' | 'argument' | 'value';

/**
 * What a word stands for: one piece or several (`{a,b}`, an array, a variable with one of two values). Unknown parts are
 * `unread`. A pattern stays one piece, to be matched on the disk.
 */
export function piecesOf(word: WordNode, state: State, reading: Reading = 'argument'): readonly Piece[] {
  const tilde = tildeOf(word.text, state);
  const cut = (text: string): string =>
    tilde === null ? text : `${tilde.folder}${text.slice(tilde.length)}`;
  if (word.parts === undefined)
    return state.findings.takePieces(1) ? [plain(cut(word.value))] : [unknownWord];
  const pieces = inWords(joined(word.parts, state, reading !== 'value'), state, reading);
  if (tilde === null) return pieces;
  return pieces.map((piece) => ({
    ...piece,
    text: cut(piece.text),
    pattern: piece.pattern === null ? null : `${escaped(tilde.folder)}${piece.pattern.slice(tilde.length)}`,
  }));
}

/** `~`; another user's folder, `~+` and `~-` are unknown. */
function tildeOf(text: string, state: State): { readonly folder: string; readonly length: number } | null {
  const mark = /^~([^/'"$`\\]*)(?=\/|$)/.exec(text)?.[1];
  if (mark === undefined) return null;
  return { folder: mark === '' ? state.setting.home : unread.any, length: mark.length + 1 };
}

interface Draft {
  readonly text: string;
  readonly pattern: string;
  readonly isPattern: boolean;
}

/** Separates the words of an unquoted value. */
const wordBreak = '\u0004';

/** All combinations of the parts. */
function joined(parts: readonly WordPart[], state: State, isSplit: boolean): readonly Draft[] {
  let words: readonly Draft[] = [{ text: '', pattern: '', isPattern: false }];
  for (const part of parts) {
    const longer = crossed(words, waysOf(part, state, isSplit), state);
    if (longer === null) return [unknownDraft];
    words = longer;
  }
  // A typed word may have any length; a composed one may have doubled at each step.
  if (parts.length > 1 && words.some(({ text }) => text.length > shellWordCharsMax)) return [unknownDraft];
  return words;
}

/** Null when the line has too many words. */
function crossed(words: readonly Draft[], ways: readonly Draft[], state: State): readonly Draft[] | null {
  const made: Draft[] = [];
  for (const word of words) {
    for (const way of ways.slice(0, shellAlternativesMax - made.length)) made.push(append(word, way));
    if (made.length >= shellAlternativesMax) break;
  }
  // Alternatives of alternatives that double take much more time than their number says.
  const chars = made.length > 1 ? made.reduce((sum, { text }) => sum + text.length, 0) : 0;
  return state.findings.takePieces(made.length) && state.findings.takeText(chars) ? made : null;
}

function append(word: Draft, way: Draft): Draft {
  return {
    text: word.text + way.text,
    pattern: word.pattern + way.pattern,
    isPattern: word.isPattern || way.isPattern,
  };
}

/** A value with blanks is several words in most shells, and one in zsh. */
function inWords(drafts: readonly Draft[], state: State, reading: Reading): readonly Piece[] {
  return drafts.flatMap((draft) => {
    if (!draft.text.includes(wordBreak)) return [pieceOf(draft, state)];
    const patterns = draft.pattern.split(wordBreak);
    const words = draft.text
      .split(wordBreak)
      .map((text, at) => pieceOf({ ...draft, text, pattern: patterns[at] ?? '' }, state))
      .filter(({ text }) => text !== '');
    const whole = draft.text.replaceAll(wordBreak, ' ').trim();
    return reading === 'name' || whole.startsWith('-') || words.length < 2 ? words : [...words, plain(whole)];
  });
}

function pieceOf({ text, pattern, isPattern }: Draft, state: State): Piece {
  if (!isPattern) return plain(text);
  return state.findings.isLoose ? { text, pattern, isLoose: true } : { text, pattern };
}

function literal(text: string): Draft {
  return { text, pattern: escaped(text), isPattern: false };
}

function globbed(text: string): Draft {
  return { text, pattern: text, isPattern: true };
}

const unknownDraft = literal(unread.any);

/** A loop's variable holds a match of its pattern, in quotes as well. */
function draftOf(piece: Piece): Draft {
  return piece.pattern === null ? literal(piece.text) : { ...globbed(piece.text), pattern: piece.pattern };
}

function waysOf(part: WordPart, state: State, isSplit: boolean): readonly Draft[] {
  const values = (pieces: readonly Piece[] | undefined): readonly Draft[] => {
    if (pieces === undefined) return [unknownDraft];
    return isSplit ? pieces.map((piece) => unquoted(piece, state)) : pieces.map(draftOf);
  };
  switch (part.type) {
    case 'Literal':
    case 'SingleQuoted':
    case 'AnsiCQuoted':
      return [literal(part.value)];
    case 'DoubleQuoted':
    case 'LocaleString':
      return part.parts.length === 0 ? [literal('')] : joined(part.parts, state, false);
    case 'Glob':
    case 'ExtendedGlob':
      return [globbed(part.text)];
    case 'SimpleExpansion': {
      const name = part.text.slice(1);
      return values(withJoined(valuesNamed(name, state), name));
    }
    case 'ParameterExpansion':
      return values(expansionOf(part, state, (word) => piecesOf(word, state, 'value')));
    case 'CommandExpansion':
      return values(
        part.script === undefined ? undefined : printed(state.findings.shell.outputOf(part.script, state)),
      );
    case 'BraceExpansion':
      return braces(part.text, state);
    case 'ArithmeticExpansion':
      state.assignNumbers(part.expression);
      return [literal(unread.number)];
    case 'ProcessSubstitution': {
      const { script, operator } = part;
      if (script === undefined || operator === '>') return [literal('/dev/null')];
      return [literal(state.findings.pipeOf(state.findings.shell.outputOf(script, state)))];
    }
  }
}

/** An unquoted value is split into words, and may be a pattern. */
function unquoted(piece: Piece, state: State): Draft {
  const separators = state.separators;
  const split = (text: string): string =>
    Array.from(text, (char) => (separators.includes(char) ? wordBreak : char)).join('');
  const isPattern = piece.pattern !== null || /[*?[]/.test(piece.text);
  const pattern = piece.pattern ?? (isPattern ? piece.text : escaped(piece.text));
  return { text: split(piece.text), pattern: split(pattern), isPattern };
}

/** What a command prints, without its last line ends. */
function printed({ texts }: Stdin): readonly Piece[] {
  return texts.map((text) => patternOrName(text.replace(/\n+$/, '')));
}

function braces(text: string, state: State): readonly Draft[] {
  const words = withoutBraces(text, shellAlternativesMax);
  // A range (`{1..9}`) may be any text.
  if (words === null || words.some((word) => /[{}]/.test(word))) return [unknownDraft];
  return words.flatMap((word) => {
    if (!/[\\'"`$*?[]/.test(word)) return [literal(word)];
    const [statement] = parse(`_ ${word}`).commands;
    const command = statement?.command;
    const [argument] = command?.type === 'Command' ? command.args : [];
    return argument?.type === 'Word' ? piecesOf(argument, state).map(draftOf) : [unknownDraft];
  });
}

function escaped(text: string): string {
  return text.replace(/[\\*?[\]{}()!+@|^$]/g, '\\$&');
}
