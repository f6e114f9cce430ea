/**
 * Characters that mark a part of a path that is known only at run time: `any` stands for any text, `name` for one without a
 * slash, `number` for a number, a date or a hash.
 */
export const unread = { any: '\u0001', name: '\u0002', number: '\u0003' } as const;

export function hasUnread(text: string): boolean {
  return /[\u0001-\u0003]/.test(text);
}

/** Whether the text may be any path. */
export function isAnywhere(text: string): boolean {
  return text.includes(unread.any);
}

/** The absolute path of `text` relative to `folder`. Everything before an `any` part is dropped: the part may begin with `..`. */
export function resolveUnread(text: string, folder: string): string {
  const whole = text.startsWith('/') ? text : `${folder}/${text}`;
  const at = whole.lastIndexOf(unread.any);
  const parts: string[] = [];
  for (const part of whole.slice(at + 1).split('/')) {
    if (part === '..') parts.splice(Math.max(parts.length - 1, at === -1 ? 0 : 1), 1);
    else if (parts.length === 0 || (part !== '.' && part !== '')) parts.push(part);
  }
  return at === -1 ? `/${parts.filter(Boolean).join('/')}` : `${unread.any}${parts.join('/')}`;
}

/** The last part of a path, as `path.basename` gives it; some name when it is unknown. */
export function nameOf(text: string): string {
  const plain = text.replace(/\/+$/, '');
  return plain.slice(plain.lastIndexOf('/') + 1).replace(/^.*\u0001/s, unread.name);
}

/** A pattern that cannot be looked up, as a text with unknown names. */
export function foundUnread(pattern: string): string {
  const any = /\[[^\]]*\]|[?*+@!]\([^)]*\)|[*?]+/g;
  return pattern
    .replace(/\\(.)/gs, '\u0004$1')
    .replace(new RegExp(`\u0004.|${any.source}`, 'gs'), (found) =>
      found.startsWith('\u0004') ? found.slice(1) : unread.name,
    );
}

/** The text with a plain name for each unknown part. */
export function asPlainName(text: string): string {
  return text.replace(/[\u0001-\u0003]/g, 'x');
}

/** One step of a text or a glob: a character, or any number (`isMany`) of those that `takes` accepts. */
interface Step {
  readonly char: string | null;
  readonly isMany: boolean;
  readonly takes: (char: string) => boolean;
  /** How many steps may be skipped from here. */
  readonly skip?: number;
}

const anything = (): boolean => true;
const nothing = (): boolean => false;
const noSlash = (char: string): boolean => char !== '/';
const ofNumber = (char: string): boolean => /[\da-ftz:_+,-]/i.test(char);

/** Whether `text` may mean a path that `glob` matches. True when in doubt. */
export function mayFit(text: string, glob: string): boolean {
  return (withoutBraces(glob, bracesMax) ?? [glob]).some((one) => mayFitPlain(text, one));
}

/** The texts that `{a,b}` stands for, innermost braces first; null when there are more than `max`. */
export function withoutBraces(text: string, max: number): readonly string[] | null {
  const texts = [text];
  for (let at = 0; at < texts.length; ) {
    const one = texts[at] ?? '';
    const [whole, inner = ''] = /(?<!\\)\{([^{}\\'"]*,[^{}\\'"]*)\}/.exec(one) ?? [];
    if (whole === undefined) at += 1;
    else texts.splice(at, 1, ...inner.split(',').map((part) => one.replace(whole, () => part)));
    if (texts.length > max) return null;
  }
  return texts;
}

const bracesMax = 64;

function mayFitPlain(text: string, glob: string): boolean {
  const [left, right] = [stepsOfText(text), stepsOfGlob(glob)];
  if (left.length * right.length > stepsMax) return true;
  const width = right.length + 1;
  const seen = new Uint8Array((left.length + 1) * width);
  const waiting = [0];
  for (let at = waiting.pop(); at !== undefined; at = waiting.pop()) {
    if (seen[at] === 1) continue;
    seen[at] = 1;
    const [i, j] = [Math.floor(at / width), at % width];
    if (i === left.length && j === right.length) return true;
    for (const [a, b] of nextOf(left[i], right[j])) waiting.push((i + a) * width + j + b);
  }
  return false;
}

const stepsMax = 4_000_000;

/** The next positions of both sides: an unknown part or a star may end, or take the other side's character. */
function nextOf(a: Step | undefined, b: Step | undefined): [number, number][] {
  const next: [number, number][] = [];
  if (a?.isMany === true) next.push([1, 0]);
  if (b?.isMany === true) next.push([0, 1]);
  if (b?.skip !== undefined) next.push([0, b.skip]);
  if (a === undefined || b === undefined || (a.isMany && b.isMany)) return next;
  if (a.isMany) {
    if (b.char === null || a.takes(b.char)) next.push([0, 1]);
  } else if (a.char !== null) {
    const fits = b.isMany || b.char === null ? b.takes(a.char) : a.char === b.char;
    if (fits) next.push([1, b.isMany ? 0 : 1]);
  }
  return next;
}

function stepsOfText(text: string): Step[] {
  return Array.from(text, (char) => {
    if (char === unread.any) return many(anything);
    if (char === unread.name) return many(noSlash);
    return char === unread.number ? many(ofNumber) : plainStep(char);
  });
}

function many(takes: (char: string) => boolean): Step {
  return { char: null, isMany: true, takes };
}

/** Remaining braces, extended patterns and a leading `!` count as any text. */
function stepsOfGlob(glob: string): Step[] {
  if (/^!|(?<!\\)[{}()|]/.test(glob)) return [many(anything)];
  const plain = glob.replace(/(?:\/\*{2,})+$/, '/**').replace(/(?:\*\*\/)+/g, '**/');
  const tokens = plain.match(/\*\*\/|\/\*\*$|\*+|\?|\[[^\]]*\]|\\?./gsu) ?? [];
  return tokens.flatMap((token): Step[] => {
    // `**/x` fits `x`, and `x/**` fits `x`.
    if (token === '**/') return [{ ...many(nothing), skip: 3 }, many(anything), plainStep('/')];
    if (token === '/**') return [{ ...plainStep('/'), skip: 2 }, many(anything)];
    if (token.startsWith('*')) return [many(token.length > 1 ? anything : noSlash)];
    if (token === '?' || /^\[.+\]$/.test(token)) return [{ char: null, isMany: false, takes: noSlash }];
    return [plainStep(token.length > 1 ? token.slice(1) : token)];
  });
}

function plainStep(char: string): Step {
  return { char, isMany: false, takes: anything };
}

/** A glob that matches this text alone. */
export function escapedGlob(text: string): string {
  return text.replace(/[\\*?[\]{}()|!]/g, '\\$&');
}
