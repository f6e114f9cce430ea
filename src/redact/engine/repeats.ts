import { isWord, isWordy, looksLikePath, looksRandom } from '#redact/form';
import { placeholder } from './text.ts';

/** Remembers the secrets found in a value, to redact the same text where nothing marks it. */
export class Repeats {
  /** Text to kind. */
  readonly #secrets = new Map<string, string>();
  /** Secrets by their first characters, the longest first, so that a text is read once. */
  readonly #byBeginning = new Map<string, string[]>();
  readonly #blocks: { readonly text: string; readonly kind: string }[] = [];

  add(secret: string, kind: string): void {
    if (kind === 'private' || kind === 'private-key') {
      this.#blocks.push({ text: secret, kind });
      const runs = kind === 'private' ? linesOfBlock(secret) : (secret.match(keyRun) ?? []);
      for (const one of runs) this.#keep(one, kind);
    } else if (isDistinctive(secret)) this.#keep(secret, kind);
  }

  #keep(secret: string, kind: string): void {
    const alike = this.#byBeginning.get(secret.slice(0, beginningChars)) ?? [];
    if (!this.#secrets.has(secret)) {
      if (alike.length >= alikeMax) return;
      alike.push(secret);
      alike.sort((a, b) => b.length - a.length);
      this.#byBeginning.set(secret.slice(0, beginningChars), alike);
    }
    this.#secrets.set(secret, kind);
  }

  get isEmpty(): boolean {
    return this.#secrets.size === 0 && this.#blocks.length === 0;
  }

  without(text: string, report: (secret: string, kind: string) => void): string {
    let result = '';
    let from = 0;
    for (let at = 0; at + beginningChars <= text.length && this.#secrets.size > 0; at++) {
      if (isWordAt(text, at - 1) && isWordAt(text, at)) continue;
      const alike = this.#byBeginning.get(text.slice(at, at + beginningChars));
      const secret = alike?.find((one) => text.startsWith(one, at) && isWhole(text, at + one.length));
      if (secret === undefined) continue;
      const kind = this.#secrets.get(secret) ?? '';
      report(secret, kind);
      result += text.slice(from, at) + placeholder(kind);
      from = at + secret.length;
      at = from - 1;
    }
    result = from === 0 ? text : result + text.slice(from);
    return this.#blocks.length === 0 ? result : this.#withoutParts(result, report);
  }

  /** Redacts lines that are part of a block, as in an edit inside it. */
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
/** Every remembered secret is at least this long. */
const beginningChars = 8;
const alikeMax = 64;

function linesOfBlock(block: string): string[] {
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

/** Whether the value is unusual enough that a second occurrence is the same secret. */
function isDistinctive(secret: string): boolean {
  if (secret.length < 8 || secret.includes('<redacted:') || looksLikePath(secret)) return false;
  return looksRandom(secret) || (/\d/.test(secret) && /[A-Za-z]/.test(secret) && !isWordy(secret));
}

/** Whether `end` is not inside a word. */
function isWhole(text: string, end: number): boolean {
  return !isWordAt(text, end) || !isWordAt(text, end - 1);
}

function isWordAt(text: string, at: number): boolean {
  return isWord(text.charCodeAt(at));
}
