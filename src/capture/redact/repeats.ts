import { placeholder } from './text.ts';
import { isWordy, looksLikePath, looksRandom } from './value.ts';

/** What was taken out of a value: the same text elsewhere in it goes too, though nothing marks it there. */
export class Repeats {
  /** By text, the kind that it was. */
  readonly #secrets = new Map<string, string>();
  readonly #blocks: { readonly text: string; readonly kind: string }[] = [];

  add(secret: string, kind: string): void {
    if (kind === 'private' || kind === 'private-key') {
      this.#blocks.push({ text: secret, kind });
      const runs = kind === 'private' ? linesOf(secret) : (secret.match(keyRun) ?? []);
      for (const one of runs) this.#secrets.set(one, kind);
    } else if (isTelling(secret)) this.#secrets.set(secret, kind);
  }

  get isEmpty(): boolean {
    return this.#secrets.size === 0 && this.#blocks.length === 0;
  }

  /** `text` without what was taken out elsewhere. */
  without(text: string, report: (secret: string, kind: string) => void): string {
    let result = text;
    // The longest first: one may be a part of another.
    for (const [secret, kind] of [...this.#secrets].sort((a, b) => b[0].length - a[0].length)) {
      result = replaceWords(result, secret, () => {
        report(secret, kind);
        return placeholder(kind);
      });
    }
    return this.#blocks.length === 0 ? result : this.#withoutParts(result, report);
  }

  /** A line that is a part of a block: an edit inside of it. */
  #withoutParts(text: string, report: (secret: string, kind: string) => void): string {
    const lines = text.split('\n');
    if (lines.length > partLinesMax) return text;
    return lines
      .map((line) => {
        const [, before = '', part = '', after = ''] = /^([+-]?\s*)(.*?)(\s*)$/s.exec(line) ?? [];
        if (part.length < partCharsMin || part.startsWith('<redacted:')) return line;
        const block = this.#blocks.find((one) => one.text.includes(part));
        if (block === undefined) return line;
        report(part, block.kind);
        return before + placeholder(block.kind) + after;
      })
      .join('\n');
  }
}

const keyRun = /[A-Za-z0-9+/]{20,}={0,2}/g;
const partLinesMax = 64;
const partCharsMin = 12;
const lineCharsMin = 16;

function linesOf(block: string): string[] {
  return block
    .split(/\r?\n|\\{1,8}[nr]/)
    .map((line) =>
      line
        .replace(/<\/?private[^<>]*>/gi, '')
        .replace(/^[+-]/, '')
        .trim(),
    )
    .filter((line) => line.length >= lineCharsMin && !line.startsWith('<redacted:'));
}

/** Whether a value is found again only where it is meant. */
function isTelling(secret: string): boolean {
  if (secret.length < 8 || secret.includes('<redacted:') || looksLikePath(secret)) return false;
  return looksRandom(secret) || (/\d/.test(secret) && /[A-Za-z]/.test(secret) && !isWordy(secret));
}

/** Replaces `word` where it stands, but not inside a longer word. */
function replaceWords(text: string, word: string, replacement: () => string): string {
  let result = '';
  let from = 0;
  for (let at = text.indexOf(word); at !== -1; at = text.indexOf(word, at + word.length)) {
    if (isWordAt(text, at - 1) && isWordAt(word, 0)) continue;
    if (isWordAt(text, at + word.length) && isWordAt(word, word.length - 1)) continue;
    result += text.slice(from, at) + replacement();
    from = at + word.length;
  }
  return from === 0 ? text : result + text.slice(from);
}

function isWordAt(text: string, at: number): boolean {
  return /[A-Za-z0-9_]/.test(text.charAt(at));
}
