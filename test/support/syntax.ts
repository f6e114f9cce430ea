import fs from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseAst } from 'vitest/node';

const root = fileURLToPath(new URL('../../src', import.meta.url));

/** A node of the syntax tree (ESTree with TypeScript's own nodes). */
export interface Node {
  readonly type: string;
  readonly [key: string]: unknown;
}

export interface Source {
  /** Below `src`, with slashes. */
  readonly file: string;
  readonly program: Node;
}

/** Every file of the product; tests and what is for tests are left out. */
export function readSources(): Source[] {
  const files = fs.readdirSync(root, { recursive: true, encoding: 'utf8' });
  return files
    .filter((file) => file.endsWith('.ts') && !/\.test\.ts$|-for-tests\.ts$|\.d\.ts$|fixtures/.test(file))
    .sort()
    .map((file) => sourceOf(file.split(path.sep).join('/'), fs.readFileSync(path.join(root, file), 'utf8')));
}

export function sourceOf(file: string, text: string): Source {
  const program: unknown = parseAst(text, { lang: 'ts' });
  if (!isNode(program)) throw new Error(`${file} has no syntax tree`);
  return { file, program };
}

export function isNode(value: unknown): value is Node {
  return typeof value === 'object' && value !== null && 'type' in value && typeof value.type === 'string';
}

export function nodeAt(node: Node, key: string): Node | null {
  const value = node[key];
  return isNode(value) ? value : null;
}

export function nodesAt(node: Node, key: string): Node[] {
  const value = node[key];
  return Array.isArray(value) ? value.filter(isNode) : [];
}

/** `name`, `.name`, `.#name` and `"name"` alike. */
export function nameOf(node: Node | null): string {
  if (node === null) return '';
  if (node.type === 'MemberExpression') return nameOf(nodeAt(node, 'property'));
  if (typeof node.name === 'string') return node.name;
  return typeof node.value === 'string' ? node.value : '';
}

export function childrenOf(node: Node): Node[] {
  return Object.values(node).flatMap((value) => {
    if (isNode(value)) return [value];
    return Array.isArray(value) ? value.filter(isNode) : [];
  });
}

/** The types of what can be called. */
export const functions = new Set(['FunctionDeclaration', 'FunctionExpression', 'ArrowFunctionExpression']);

/** Where the names come from: `room` for what comes through a door, `room/file.ts` for the rest. */
export function importsOf(program: Node, file: string): ReadonlyMap<string, string> {
  const from = new Map<string, string>();
  for (const node of nodesAt(program, 'body')) {
    const source = nameOf(nodeAt(node, 'source'));
    if (node.type !== 'ImportDeclaration' || !source.startsWith('.')) continue;
    const target = path.posix
      .join(path.posix.dirname(file), source)
      .replace(/\/index\.ts$/, '')
      .replace(/^limits\.ts$/, 'limits');
    for (const one of nodesAt(node, 'specifiers')) from.set(nameOf(nodeAt(one, 'local')), target);
  }
  return from;
}
