// A pattern with more stars may take a regular expression long.
const patternStarsMax = 4;

/** A pattern of a parameter expansion as a regular expression that fits a whole text; null for one that is not worked out. */
export function patternSource(pattern: string): string | null {
  if (/[?*+@!]\(/.test(pattern) || (pattern.match(/\*/g)?.length ?? 0) > patternStarsMax) return null;
  let source = '';
  for (const token of pattern.match(/\\.|\[[!^]?\]?[^\]]*\]|./gsu) ?? []) {
    if (token === '*') source += '[^]*';
    else if (token === '?') source += '[^]';
    else if (/^\[.+\]$/s.test(token)) source += classSource(token);
    else source += literalSource(token.length > 1 && token.startsWith('\\') ? token.slice(1) : token);
  }
  return source;
}

function classSource(token: string): string {
  const classes = {
    alpha: 'a-zA-Z',
    digit: '0-9',
    alnum: 'a-zA-Z0-9',
    upper: 'A-Z',
    lower: 'a-z',
    space: '\\s',
    punct: '!-/:-@\\[-`{-~',
  };
  const inner = token
    .slice(1, -1)
    .replace(/^!/, '^')
    .replace(/\[:(\w+):/g, (_, name: string) =>
      Object.hasOwn(classes, name) ? classes[name as keyof typeof classes] : '',
    );
  return `[${inner}]`;
}

function literalSource(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&');
}

/** `${X#a}`, `##`, `%`, `%%`: the text without the shortest or longest part that fits at its start or end. */
export function withoutPart(text: string, operator: '#' | '##' | '%' | '%%', pattern: string): string | null {
  const source = patternSource(pattern);
  const fits = source === null || isTooMuch(text, pattern) ? null : expression(`^(?:${source})$`);
  if (fits === null) return null;
  const lengths = Array.from({ length: text.length + 1 }, (_, at) => at);
  if (operator.length === 2) lengths.reverse();
  const isPrefix = operator.startsWith('#');
  const length = lengths.find((one) =>
    fits.test(isPrefix ? text.slice(0, one) : text.slice(text.length - one)),
  );
  if (length === undefined) return text;
  return isPrefix ? text.slice(length) : text.slice(0, text.length - length);
}

/** Each start or length is tried, and each star may end anywhere. */
function isTooMuch(text: string, pattern: string): boolean {
  const stars = pattern.match(/\*/g)?.length ?? 0;
  return text.length > partsCharsMax || text.length ** (stars + 1) > patternWorkMax;
}

const partsCharsMax = 4_096;
const patternWorkMax = 100_000;

/** `${X/a/b}`, `//`, `/#`, `/%`. */
export function replaced(
  text: string,
  operator: '/' | '//' | '/#' | '/%',
  pattern: string,
  by: string,
): string | null {
  const source = pattern === '' ? null : patternSource(pattern);
  if (source === null) return pattern === '' ? text : null;
  const anchored = operator === '/#' ? `^(?:${source})` : operator === '/%' ? `(?:${source})$` : source;
  const finds = isTooMuch(text, pattern) ? null : expression(anchored, operator === '//' ? 'g' : '');
  return finds === null ? null : text.replace(finds, () => by);
}

function expression(source: string, flags = ''): RegExp | null {
  try {
    return new RegExp(source, `${flags}u`);
  } catch {
    // A bracket expression of another form than JavaScript's.
    return null;
  }
}
