import { redactBlockCharsMax } from '../../core/limits.ts';
import { readBraces } from './kubernetes-flow.ts';
import { merged, staysInSecret } from './kubernetes-value.ts';
import { linesOf, type Range } from './range.ts';

/** A YAML mapping, identified by the column of its keys. */
interface Mapping {
  readonly column: number;
  kind: string | undefined;
  /** Its `apiVersion`, `kind`, `data` and `stringData` so far: a second one begins another document. */
  readonly keys: Set<string>;
  /** Whether the current line may be in `data` or `stringData`, and the column of the names there. */
  isInData: boolean;
  entryColumn: number;
  /** Values of its own `data`, and of nested mappings without a kind. */
  values: Range[];
  inner: Range[];
}

/** The values of Secrets in block style YAML. */
export function valuesInBlocks(text: string): Range[] {
  const reading = new YamlReader(text);
  for (const { start, text: line } of linesOf(text)) reading.line({ start, text: line.replace(/\r+$/, '') });
  return reading.end();
}

/** A quote or command before the first line of a manifest. */
const opening = /^.*["'`](?=(?:apiVersion|kind|data|stringData|metadata|type):)/;
const pair = /^\\{0,8}(["']?)([^\s:"'{}#\\][^:"']{0,253})\\{0,8}\1[ \t]{0,40}:(?:[ \t]+(.*))?$/;
const anchors = /^(?:[!&][^\s]*[ \t]+|[!&][^\s]*$)+/;

/** What is left of a line, and its offset. */
interface Rest {
  readonly start: number;
  readonly text: string;
}

class YamlReader {
  readonly #text: string;
  readonly #mappings: Mapping[] = [];
  #found: Range[] = [];
  /** The end of the braces that were read under `data`. */
  #doneUpTo = 0;

  constructor(text: string) {
    this.#text = text;
  }

  end(): Range[] {
    this.#closeDeeperThan(-1);
    return this.#found;
  }

  line(line: Rest): void {
    if (line.start < this.#doneUpTo) return;
    const cut = opening.exec(line.text)?.[0].length ?? 0;
    const text = line.text.slice(cut);
    const content = text.trimStart();
    const start = line.start + cut + text.length - content.length;
    const indent = text.length - content.length;
    if (content.trim() === '' || /^\{\{[^{}]*\}\}\s*$/.test(content)) return;
    if (/^(?:---|\.\.\.)(?:\s|$)/.test(text)) {
      this.#closeDeeperThan(-1);
      return;
    }
    const mapping = this.#mappings.at(-1);
    if (mapping?.isInData === true) {
      if (indent > mapping.column) {
        this.#entry(mapping, { start, text: content }, indent);
        return;
      }
      if (!content.startsWith('#')) mapping.isInData = false;
    }
    if (!content.startsWith('#')) this.#structure({ start, text: content }, indent);
  }

  #structure({ start, text }: Rest, indent: number): void {
    const dashes = /^(?:-[ \t]+)*/.exec(text)?.[0].length ?? 0;
    const column = indent + dashes;
    this.#closeDeeperThan(dashes > 0 ? indent : column);
    if ((this.#mappings.at(-1)?.column ?? -1) < column) this.#open(column);
    const [, , key, rest = ''] = pair.exec(text.slice(dashes)) ?? [];
    if (key === undefined) return;
    const isNamedKey = /^(?:apiVersion|kind|data|stringData)$/.test(key);
    // Documents without a separator, or list items without dashes.
    if (isNamedKey && this.#mappings.at(-1)?.keys.has(key) === true) {
      this.#closeDeeperThan(column - 1);
      this.#open(column);
    }
    const mapping = this.#mappings.at(-1);
    if (mapping === undefined) return;
    if (isNamedKey) mapping.keys.add(key);
    if (key === 'kind')
      mapping.kind = /^\\{0,8}["']?(\w+)/.exec(rest.replace(anchors, ''))?.[1]?.toLowerCase();
    else if (key === 'data' || key === 'stringData')
      this.#data(mapping, rest, start + text.length - rest.length);
  }

  #data(mapping: Mapping, rest: string, at: number): void {
    const anchor = anchors.exec(rest)?.[0].length ?? 0;
    const value = rest.slice(anchor);
    if (value.startsWith('{')) {
      const from = at + anchor;
      const part = { text: this.#text, from, to: Math.min(this.#text.length, from + redactBlockCharsMax) };
      const { values, end } = readBraces(part, 'data');
      mapping.values = merged(mapping.values, values);
      this.#doneUpTo = end;
    } else if (value === '' || value.startsWith('#')) {
      mapping.isInData = true;
      mapping.entryColumn = -1;
    }
  }

  /** A line of `data`: a name with its value, or the value continued. */
  #entry(mapping: Mapping, { start, text }: Rest, indent: number): void {
    if (mapping.entryColumn >= 0 && indent > mapping.entryColumn) {
      this.#value(mapping, text, start);
      return;
    }
    const comment = /^#[ \t]*/.exec(text)?.[0].length ?? 0;
    if (comment === 0) mapping.entryColumn = indent;
    const [, , key, rest = ''] = pair.exec(text.slice(comment)) ?? [];
    if (key === undefined) return;
    const anchor = anchors.exec(rest)?.[0].length ?? 0;
    const value = rest.slice(anchor);
    if (!/^[|>][-+0-9]{0,2}[ \t]*(?:#.*)?$/.test(value)) {
      this.#value(mapping, value, start + text.length - value.length);
    }
  }

  #value(mapping: Mapping, text: string, start: number): void {
    const quote = /^\\{0,8}["']/.exec(text)?.[0] ?? '';
    const inside = text.slice(quote.length);
    const value = (quote === '' ? plain(inside) : quoted(inside, quote)).trimEnd();
    if (staysInSecret(value)) return;
    mapping.values.push({ start: start + quote.length, end: start + quote.length + value.length });
  }

  #open(column: number): void {
    this.#mappings.push({
      ...{ column, kind: undefined, keys: new Set<string>(), isInData: false, entryColumn: -1 },
      ...{ values: [], inner: [] },
    });
  }

  #closeDeeperThan(column: number): void {
    for (let last = this.#mappings.at(-1); last !== undefined && last.column > column; ) {
      this.#mappings.pop();
      const outer = this.#mappings.at(-1);
      if (last.kind === 'secret') this.#found = merged(this.#found, last.values);
      else if (last.kind === 'secretlist') this.#found = merged(this.#found, last.inner);
      else if (last.kind === undefined && outer !== undefined)
        outer.inner = merged(outer.inner, merged(last.values, last.inner));
      last = outer;
    }
  }
}

function quoted(text: string, quote: string): string {
  const end = text.indexOf(quote);
  return end === -1 ? text : text.slice(0, end);
}

/** An unquoted value, up to its comment or the end of the surrounding string. */
function plain(text: string): string {
  const end = text.search(/[ \t]#|["'][,}\])]|["']\s*(?:$|[|>&])/);
  return end === -1 ? text : text.slice(0, end);
}
