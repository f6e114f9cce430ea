import { useMemo, useState } from 'preact/hooks';
import { useBeforePrint } from '../parts/hooks.ts';
import { Block, Plain } from '../parts/plain.tsx';
import { head } from '../text/cut.ts';
import { size } from '../text/words.ts';

/** What a person wrote, or an assistant, with the little of Markdown that makes it readable: code, headings, lists, strong words. */
export function Said({ text, first }: { text: string; first: number }) {
  const [shown, setShown] = useState(first);
  // A few words more are not worth a button.
  const part = text.length <= shown * 1.2 ? text : linesWithin(text, shown);
  const isCut = part.length < text.length;
  useBeforePrint(() => setShown(text.length), isCut);
  const blocks = useMemo(() => blocksOf(part), [part]);
  return (
    <div class="said" dir="auto">
      {blocks.map((block, at) => (
        <One key={at} {...block} />
      ))}
      {isCut && (
        <button type="button" class="more" onClick={() => setShown(text.length)}>
          Show all, {size(text.length - part.length)} more
        </button>
      )}
    </div>
  );
}

/** Whole lines where one ends in the second half of what fits, without a heading whose text is cut. */
function linesWithin(text: string, chars: number): string {
  const part = head(text, chars);
  const end = part.lastIndexOf('\n');
  return end > chars / 2
    ? part.slice(0, end).replace(/\n\s*(?:#{1,6} [^\n]*|\*\*[^\n]{1,200}\*\*:?)\s*$/, '')
    : part;
}

interface SaidBlock {
  readonly kind: 'code' | 'heading' | 'item' | 'rule' | 'table' | 'text';
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
            name.trim() ? (
              <th key={at} scope="col">
                <Inline text={name.trim()} />
              </th>
            ) : (
              <td key={at} />
            ),
          )}
        </tr>
      </thead>
      <tbody>
        {lines.map((cells, at) => (
          <tr key={at}>
            {cells.map((cell, column) => (
              <td key={column}>
                <Inline text={cell.trim()} />
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  );
}

/** One line of such text. */
export function Inline({ text }: { text: string }) {
  // Of a link its words: the page leads nowhere else.
  const parts = text
    .replace(/\[([^\]\n]{1,300})\]\([^)\s]{1,500}\)/g, '$1')
    .split(
      /(`[^`\n]{1,400}`|\*\*[^*\n]{1,400}\*\*|(?<=^|[\s("'“])\*[^\s*](?:[^*\n]{0,300}[^\s*])?\*(?=$|[\s)"'”.,;:!?]))/,
    );
  return (
    <>
      {parts.map((part, at) => {
        if (at % 2 === 0) return <Plain key={at} text={part} />;
        if (part.startsWith('`')) {
          return (
            <code key={at}>
              <Plain text={part.slice(1, -1)} />
            </code>
          );
        }
        if (!part.startsWith('**')) {
          return (
            <em key={at}>
              <Inline text={part.slice(1, -1)} />
            </em>
          );
        }
        return (
          <strong key={at}>
            <Inline text={part.slice(2, -2)} />
          </strong>
        );
      })}
    </>
  );
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
