import { redactBlockCharsMax } from '#core/limits';
import { linesOf, type Range } from '#redact/form';
import { readBraces } from './flow.ts';
import { Mapping, staysInSecret } from './value.ts';

/** A YAML mapping, identified by the column of its keys. */
class YamlMapping extends Mapping {
  readonly column: number;
  /** Its `apiVersion`, `kind`, `data` and `stringData` so far: a second one begins another document. */
  readonly keys = new Set<string>();
  /** Whether the current line may be in `data` or `stringData`, and the column of the names there. */
  isInData = false;
  entryColumn = -1;

  constructor(column: number, outer: Mapping | undefined) {
    super(outer);
    this.column = column;
  }
}

/** The values of Secrets in block style YAML. */
export function valuesInBlocks(text: string): Range[] {
  const reading = new YamlReader(text);
  for (const { start, text: line } of linesOf(text)) reading.line({ start, text: line.replace(/\r+$/, '') });
  return reading.values();
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
  readonly #open: YamlMapping[] = [];
  readonly #all: Mapping[] = [];
  /** The end of the braces that were read under `data`. */
  #doneUpTo = 0;

  constructor(text: string) {
    this.#text = text;
  }

  values(): Range[] {
    return this.#all.flatMap((mapping) => (mapping.isSecret ? mapping.values : []));
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
    const mapping = this.#open.at(-1);
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
    let mapping = this.#mappingAt(column);
    const [, , key, rest = ''] = pair.exec(text.slice(dashes)) ?? [];
    if (key === undefined) return;
    if (/^(?:apiVersion|kind|data|stringData)$/.test(key)) {
      // Documents without a separator, or list items without dashes.
      if (mapping.keys.has(key)) this.#closeDeeperThan(column - 1);
      mapping = this.#mappingAt(column);
      mapping.keys.add(key);
    }
    if (key === 'kind')
      mapping.kind = /^\\{0,8}["']?(\w+)/.exec(rest.replace(anchors, ''))?.[1]?.toLowerCase();
    else if (key === 'data' || key === 'stringData')
      this.#data(mapping, rest, start + text.length - rest.length);
  }

  #data(mapping: YamlMapping, rest: string, at: number): void {
    const anchor = anchors.exec(rest)?.[0].length ?? 0;
    const value = rest.slice(anchor);
    if (value.startsWith('{')) {
      const from = at + anchor;
      const part = { text: this.#text, from, to: Math.min(this.#text.length, from + redactBlockCharsMax) };
      const { values, end } = readBraces(part, 'data');
      for (const found of values) mapping.values.push(found);
      this.#doneUpTo = end;
    } else if (value === '' || value.startsWith('#')) {
      mapping.isInData = true;
      mapping.entryColumn = -1;
    }
  }

  /** A line of `data`: a name with its value, or the value continued. */
  #entry(mapping: YamlMapping, { start, text }: Rest, indent: number): void {
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
    if (!/^[|>][-+0-9]{0,2}[ \t]*(?:#.*)?$/.test(value))
      this.#value(mapping, value, start + text.length - value.length);
  }

  #value(mapping: Mapping, text: string, start: number): void {
    const quote = /^\\{0,8}["']/.exec(text)?.[0] ?? '';
    const inside = text.slice(quote.length);
    const value = (quote === '' ? plain(inside) : quoted(inside, quote)).trimEnd();
    if (staysInSecret(value)) return;
    mapping.values.push({ start: start + quote.length, end: start + quote.length + value.length });
  }

  #mappingAt(column: number): YamlMapping {
    const last = this.#open.at(-1);
    if (last !== undefined && last.column >= column) return last;
    const mapping = new YamlMapping(column, last);
    this.#open.push(mapping);
    this.#all.push(mapping);
    return mapping;
  }

  #closeDeeperThan(column: number): void {
    while ((this.#open.at(-1)?.column ?? -1) > column) this.#open.pop();
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
