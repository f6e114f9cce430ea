import type { Range } from './range.ts';

/** Both lists in any order. Adds the shorter to the longer, so that deep nesting stays linear. */
export function merged(one: Range[], other: Range[]): Range[] {
  const [short, long] = one.length < other.length ? [one, other] : [other, one];
  for (const found of short) long.push(found);
  return long;
}

/** Values that may stay under `data`: empty, masked, a placeholder, a template. */
export function staysInSecret(value: string): boolean {
  const text = value.trim();
  if (/^\{\{.*\}\}$/.test(text)) return !literalInTemplate.test(text);
  return nothing.test(text);
}

const nothing =
  /^(?:|null|~|\{\}|true|false|[*•.…]+|x{3,}|<[^<>]*>|\[?(?:redacted|masked|hidden|omitted|REDACTED)\]?|\$\{[^{}]*\}|\$\([^()]*\)|\$[A-Z_][A-Z0-9_]*|%[A-Za-z_]+%)$/;

/** `{{ "literal" | b64enc }}` and `{{ .Values.x | default "literal" }}`. */
const literalInTemplate = /\{\{-?\s*\\{0,8}["'`]|\bdefault\s+\\{0,8}["'`][^"'`\\]/;
