import { parse, type Word as WordNode, type WordPart } from 'unbash';
import { type Piece, plain } from '../../boundary/index.ts';
import { shellAlternativesMax, shellWordCharsMax } from '../../limits.ts';
import { braceWords } from './braces.ts';
import type { State } from './state.ts';

/**
 * What a word stands for: one piece or several (`{a,b}`, a variable that may be one of two), or null when it cannot be
 * told without running something. A pattern stays one piece, to be looked up on the disk.
 */
export function piecesOf(word: WordNode, state: State): readonly Piece[] | null {
  const tilde = /^~(?=\/|$)/.test(word.text) ? state.setting.home : null;
  if (/^~[^/]/.test(word.text)) return null;
  if (word.parts === undefined) {
    if (!state.findings.takePieces(1)) return null;
    return [plain(tilde === null ? word.value : `${tilde}${word.value.slice(1)}`)];
  }
  const pieces = joined(word.parts, state);
  if (pieces === null || tilde === null) return pieces;
  return pieces.map(({ text, pattern }) => ({
    text: `${tilde}${text.slice(1)}`,
    pattern: pattern === null ? null : `${escaped(tilde)}${pattern.slice(1)}`,
  }));
}

/** Every part's ways, each with each. */
function joined(parts: readonly WordPart[], state: State): readonly Piece[] | null {
  let words: readonly Draft[] = [{ text: '', pattern: '', isPattern: false }];
  for (const part of parts) {
    const ways = waysOf(part, state);
    const longer = ways === null ? null : crossed(words, ways, state);
    if (longer === null) return null;
    words = longer;
  }
  // One that is as it was typed may be of any length; one that was put together may have doubled at each step.
  if (parts.length > 1 && words.some(({ text }) => text.length > shellWordCharsMax)) return null;
  return words.map(({ text, pattern, isPattern }) => ({ text, pattern: isPattern ? pattern : null }));
}

/** Null when the line has had enough of them. */
function crossed(words: readonly Draft[], ways: readonly Draft[], state: State): readonly Draft[] | null {
  const made: Draft[] = [];
  for (const word of words) {
    for (const way of ways.slice(0, shellAlternativesMax - made.length)) made.push(append(word, way));
    if (made.length >= shellAlternativesMax) break;
  }
  return state.findings.takePieces(made.length) ? made : null;
}

interface Draft {
  readonly text: string;
  readonly pattern: string;
  readonly isPattern: boolean;
}

function append(word: Draft, way: Draft): Draft {
  return {
    text: word.text + way.text,
    pattern: word.pattern + way.pattern,
    isPattern: word.isPattern || way.isPattern,
  };
}

function literal(text: string): Draft {
  return { text, pattern: escaped(text), isPattern: false };
}

function globbed(text: string): Draft {
  return { text, pattern: text, isPattern: true };
}

function drafts(pieces: readonly Piece[] | null): readonly Draft[] | null {
  return (
    pieces?.map(({ text, pattern }) => (pattern === null ? literal(text) : { ...globbed(text), pattern })) ??
    null
  );
}

function waysOf(part: WordPart, state: State): readonly Draft[] | null {
  switch (part.type) {
    case 'Literal':
    case 'SingleQuoted':
    case 'AnsiCQuoted':
      return [literal(part.value)];
    case 'DoubleQuoted':
    case 'LocaleString':
      // A loop's variable holds what its pattern has found, and quotes do not change that.
      return drafts(joined(part.parts, state));
    case 'Glob':
    case 'ExtendedGlob':
      return [globbed(part.text)];
    case 'SimpleExpansion':
      return variable(part.text.slice(1), state);
    case 'ParameterExpansion':
      return parameter(part, state);
    case 'CommandExpansion':
      return /^(?:\$\(\s*pwd\s*\)|`\s*pwd\s*`)$/.test(part.text) ? variable('PWD', state) : null;
    case 'BraceExpansion':
      return braces(part.text, state);
    case 'ArithmeticExpansion':
    case 'ProcessSubstitution':
      return null;
  }
}

/** A value with blanks would become several words, and nobody can tell where it is quoted: it counts as it is. */
function variable(name: string, state: State): readonly Draft[] | null {
  if (name === '@' || name === '*') {
    const known = state.positional.filter((word) => word !== null);
    return known.length === state.positional.length && known.length > 0 ? drafts(known) : null;
  }
  if (/^[1-9]$/.test(name)) {
    const word = state.positional[Number(name) - 1];
    return word === undefined || word === null ? null : drafts([word]);
  }
  return drafts(state.valuesOf(name));
}

function parameter(part: WordPart & { type: 'ParameterExpansion' }, state: State): readonly Draft[] | null {
  if (part.prefix !== undefined || part.index !== undefined) return null;
  const value = variable(part.parameter, state);
  const { operation } = part;
  if (operation === undefined) return value;
  if (operation.type !== 'Default') return null;
  const other = (): readonly Draft[] | null => drafts(piecesOf(operation.operand, state));
  if (operation.operator.endsWith('+')) return value === null ? null : other();
  if (operation.operator.endsWith('?')) return value;
  return value ?? other();
}

function braces(text: string, state: State): readonly Draft[] | null {
  const words = braceWords(text, shellAlternativesMax);
  const pieces = words?.map((word) => {
    if (!/[\\'"`$*?[]/.test(word)) return [plain(word)];
    const [statement] = parse(`_ ${word}`).commands;
    const command = statement?.command;
    const [argument] = command?.type === 'Command' ? command.args : [];
    return argument?.type === 'Word' ? piecesOf(argument, state) : null;
  });
  if (pieces === undefined || pieces.some((one) => one === null)) return null;
  return drafts(pieces.flatMap((one) => one ?? []));
}

function escaped(text: string): string {
  return text.replace(/[\\*?[\]{}()!+@|^$]/g, '\\$&');
}
