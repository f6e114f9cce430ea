/** Where a value stands in its text. */
export interface Found {
  readonly start: number;
  readonly end: number;
}

/** Adds all of `lists` to `to`; to spread a long list into `push` would overflow the stack. */
export function append(to: Found[] | undefined, ...lists: readonly (readonly Found[])[]): void {
  for (const list of lists) for (const one of list) to?.push(one);
}

/** True for what may stay under `data` of a Secret: nothing, a mask, our own placeholder, what a template fills in. */
export function staysInSecret(value: string): boolean {
  const text = value.trim();
  if (/^\{\{.*\}\}$/.test(text)) return !literalInTemplate.test(text);
  return nothing.test(text);
}

const nothing =
  /^(?:|null|~|\{\}|true|false|[*•.…]+|x{3,}|<[^<>]*>|\[?(?:redacted|masked|hidden|omitted|REDACTED)\]?|\$\{[^{}]*\}|\$\([^()]*\)|\$[A-Z_][A-Z0-9_]*|%[A-Za-z_]+%)$/;

/** `{{ "literal" | b64enc }}` and `{{ .Values.x | default "literal" }}`. */
const literalInTemplate = /\{\{-?\s*\\{0,8}["'`]|\bdefault\s+\\{0,8}["'`][^"'`\\]/;
