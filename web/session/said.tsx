import { createElement, Fragment } from 'preact';
import { useMemo, useState } from 'preact/hooks';
import { useBeforePrint } from '../parts/hooks.ts';
import { Block, Plain, type WholeOf } from '../parts/plain.tsx';
import { head, withoutLinks } from '../text/cut.ts';
import { count, size } from '../text/words.ts';

/** What a person wrote, or an assistant, with the little of Markdown that makes it readable: code, headings, lists, strong words. */
export function Said({ text, first }: { text: string; first: number }) {
  const [isWhole, setWhole] = useState(false);
  const all = useMemo(() => blocksOf(text), [text]);
  const shown = useMemo(() => (isWhole ? all : firstOf(all, first)), [all, first, isWhole]);
  const left = sizeOf(all) - sizeOf(shown);
  useBeforePrint(() => setWhole(true), left > 0);
  return (
    <div class="said" dir="auto">
      {shown.map((block, at) => (
        <One key={at} {...block} />
      ))}
      {left > 0 && (
        <button type="button" class="more" onClick={() => setWhole(true)}>
          Show all, {size(left)} more
        </button>
      )}
    </div>
  );
}

function sizeOf(blocks: readonly SaidBlock[]): number {
  return blocks.reduce((sum, { text }) => sum + text.length, 0);
}

/** The blocks within so many characters, without a heading whose text is cut. Of a log only its first lines count. */
function firstOf(blocks: readonly SaidBlock[], chars: number): readonly SaidBlock[] {
  const sizes = blocks.map(({ kind, text }) => (kind === 'log' ? logHead(text) : text).length);
  const total = sizes.reduce((sum, one) => sum + one, 0);
  // A few words more are not worth a button.
  if (total <= chars * 1.2) return blocks;
  const shown: SaidBlock[] = [];
  let room = chars;
  for (const [at, block] of blocks.entries()) {
    const length = sizes[at] ?? 0;
    // The last one ends in its middle if little else would be shown.
    if (length <= room) shown.push(block);
    else if (room > chars / 2) shown.push({ ...block, text: partOf(block.text, room) });
    room -= length;
    if (room <= 0) break;
  }
  while (shown.length > 1 && isHeading(shown.at(-1))) shown.pop();
  return shown;
}

/** Up to a word. */
function partOf(text: string, chars: number): string {
  return `${head(text, chars).replace(/\s\S{0,30}$/, '')} …`;
}

function isHeading(block: SaidBlock | undefined): boolean {
  return block?.kind === 'heading' || /^\*\*[^\n]{1,200}\*\*:?\s*$/.test(block?.text ?? '');
}

function logHead(text: string): string {
  const lines = text.split('\n');
  return lines.length <= logLinesFirst * 1.25 ? text : lines.slice(0, logLinesFirst).join('\n');
}

/** What a program printed, pasted: its first lines, the others for the asking. */
function Log({ text }: { text: string }) {
  const [isWhole, setWhole] = useState(false);
  const part = isWhole ? text : logHead(text);
  useBeforePrint(() => setWhole(true), part.length < text.length);
  return (
    <>
      <Block label="Log">
        <Plain text={part} />
      </Block>
      {part.length < text.length && (
        <button type="button" class="more" onClick={() => setWhole(true)}>
          Show all {count(text.split('\n').length)} lines
        </button>
      )}
    </>
  );
}

const logLinesFirst = 8;

interface SaidBlock {
  readonly kind: 'code' | 'heading' | 'item' | 'log' | 'rule' | 'table' | 'text';
  readonly text: string;
  readonly depth: number;
}

function One({ kind, text, depth }: SaidBlock) {
  if (kind === 'code') {
    return (
      <Block label="Code">
        <Plain text={text} />
      </Block>
    );
  }
  if (kind === 'log') return <Log text={text} />;
  if (kind === 'table') return <Table text={text} />;
  if (kind === 'rule') return <hr />;
  return (
    <p class={`said-${kind}`} style={depth > 0 ? { marginInlineStart: `${depth * 1.2}em` } : {}}>
      <Inline text={text} />
    </p>
  );
}

/** Rows of cells between bars; the line below the names of the columns is left out. */
function Table({ text }: { text: string }) {
  const rows = text
    .split('\n')
    .filter((line) => !/^[\s|:-]*$/.test(line))
    .map((line) =>
      line
        .trim()
        .replace(/^\||\|$/g, '')
        .split(/(?<!\\)\|/),
    );
  const [names = [], ...lines] = rows;
  return (
    <table class="said-table">
      <thead>
        <tr>
          {names.map((name, at) =>
            name.trim() ? <Inline key={at} as="th" scope="col" text={name.trim()} /> : <td key={at} />,
          )}
        </tr>
      </thead>
      <tbody>
        {lines.map((cells, at) => (
          <tr key={at}>
            {cells.map((cell, column) => (
              <Inline key={column} as="td" text={cell.trim()} />
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  );
}

/** One line of such text. */
export function Inline({ text, as, ...attributes }: WholeOf) {
  const parts = withoutLinks(text).split(
    /(`[^`\n]{1,400}`|\*\*[^*\n]{1,400}\*\*|(?<=^|[\s("'“])\*[^\s*](?:[^*\n]{0,300}[^\s*])?\*(?=$|[\s)"'”.,;:!?]))/,
  );
  const shown = parts.map((part, at) => {
    if (at % 2 === 0) return <Plain key={at} text={part} />;
    if (part.startsWith('`')) return <Plain key={at} as="code" text={part.slice(1, -1)} />;
    if (part.startsWith('**')) return <Inline key={at} as="strong" text={part.slice(2, -2)} />;
    return <Inline key={at} as="em" text={part.slice(1, -1)} />;
  });
  return createElement<typeof attributes>(as ?? Fragment, attributes, shown);
}

/** Lines in blocks: fences as they are, everything else line by line, joined where only the width broke it. */
function blocksOf(text: string): SaidBlock[] {
  const blocks: SaidBlock[] = [];
  const fences = text.split(/^[ \t]*(?:```|~~~).*$/m);
  for (const [at, part] of fences.entries()) {
    if (at % 2 === 1) blocks.push({ kind: 'code', text: part.replace(/^\n|\n$/g, ''), depth: 0 });
    else blocks.push(...linesOf(part));
  }
  return blocks;
}

function linesOf(text: string): SaidBlock[] {
  const blocks: SaidBlock[] = [];
  for (const paragraph of text.split(/\n[ \t]*\n/)) {
    const lines = paragraph.split('\n');
    if (lines.length > 1 && lines.every((line) => /^\s*\|.*\|\s*$/.test(line) || line.trim() === '')) {
      blocks.push({ kind: 'table', text: paragraph.trim(), depth: 0 });
      continue;
    }
    const begins = logIn(lines);
    if (begins >= 0) blocks.push(...linesOf(lines.slice(0, begins).join('\n')));
    if (begins >= 0) {
      blocks.push({ kind: 'log', text: lines.slice(begins).join('\n'), depth: 0 });
      continue;
    }
    for (const line of lines) {
      const [, heading] = /^\s*#{1,6}\s+(.*)$/.exec(line) ?? [];
      const [, indent = '', sign, item] = /^(\s*)([-*+•]|\d{1,3}[.)])\s+(.*)$/.exec(line) ?? [];
      if (/^\s*(?:-{3,}|\*{3,}|_{3,})\s*$/.test(line)) blocks.push({ kind: 'rule', text: '', depth: 0 });
      else if (heading !== undefined) blocks.push({ kind: 'heading', text: heading, depth: 0 });
      else if (item !== undefined) {
        const mark = /\d/.test(sign ?? '') ? `${sign} ` : '• ';
        blocks.push({ kind: 'item', text: mark + item, depth: Math.min(4, Math.floor(indent.length / 2)) });
      } else if (line.trim() !== '') blocks.push({ kind: 'text', text: line, depth: 0 });
    }
  }
  return blocks;
}

/** The line at which a pasted log begins; -1 where the lines are something else. */
function logIn(lines: readonly string[]): number {
  const printed = lines.map((line) => printedLine.test(line));
  const many = printed.filter(Boolean).length;
  return many >= logLinesFirst && many * 2 > lines.length ? printed.indexOf(true) : -1;
}

/** A time, a tag, a level, a frame of a stack, a place in a file, what git says, JSON. */
const printedLine =
  /^(?!\s*(?:[-*+•]|\d{1,3}[.)])\s)(?:\s*(?:\[[^\]]{2,40}\]|\d{4}-\d\d-\d\d|\d\d:\d\d:\d\d|at \S|[{}"\]]|File "|(?:remote|fatal|error|warning|npm (?:ERR!|WARN)|commit|Author|Date|create mode|Caused by|Traceback)\b)|.*(?:\b(?:ERROR|WARN|INFO|DEBUG)\b|[\w-]\.\w{1,5}:\d+|[{[,;]\s*$))/;
