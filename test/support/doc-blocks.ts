import fs from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

export interface Block {
  /** From the repository's root. */
  readonly file: string;
  /** Of a fence: `sh`, `json`, ...; empty for an indented block. */
  readonly language: string;
  readonly lines: readonly string[];
}

const root = fileURLToPath(new URL('../..', import.meta.url));

/** What people read before they type: README first, as they do, then the guides by name. */
export function documents(): string[] {
  const guides = fs.readdirSync(path.join(root, 'docs')).filter((name) => name.endsWith('.md'));
  return ['README.md', ...guides.sort().map((name) => `docs/${name}`), 'CONTRIBUTING.md'];
}

/** The fenced and indented blocks of a document, in order. What is indented within a list is a paragraph of it. */
export function blocksOf(file: string): Block[] {
  const blocks: { file: string; language: string; lines: string[] }[] = [];
  let fence = false;
  let isOpen = false;
  for (const line of fs.readFileSync(path.join(root, file), 'utf8').split('\n')) {
    const mark = /^```(\w*)/.exec(line);
    if (mark !== null) {
      fence = !fence;
      if (fence) blocks.push({ file, language: mark[1] ?? '', lines: [] });
      isOpen = false;
    } else if (fence) {
      blocks.at(-1)?.lines.push(line);
    } else if (/^ {4}\S/.test(line) || (isOpen && line.startsWith('    '))) {
      if (!isOpen) blocks.push({ file, language: '', lines: [] });
      blocks.at(-1)?.lines.push(line.slice(4));
      isOpen = true;
    } else {
      isOpen = false;
    }
  }
  return blocks;
}

/** Its lines as one text. */
export function textOf({ lines }: Block): string {
  return lines.join('\n');
}

/** A picture of a file of JSON, a line each. */
export function isJsonLines({ language, lines }: Block): boolean {
  return language === '' && lines.every((line) => line.startsWith('{"') && line.endsWith('}'));
}

/** Its commands without prompts and comments. In a block with prompts, all other lines are output. */
export function commandsIn({ lines }: Block): string[] {
  const typed = lines.filter((line) => line.startsWith('$ '));
  return (typed.length > 0 ? typed : lines)
    .map((line) =>
      line
        .replace(/^\$ /, '')
        .replace(/(?:^|\s+)# .*$/, '')
        .trim(),
    )
    .filter(Boolean);
}
