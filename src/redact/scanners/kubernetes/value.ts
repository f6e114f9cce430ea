import type { Range } from '#redact/form';

/** A mapping of a manifest. What it is may be said after its values, so they wait until all is read. */
export class Mapping {
  /** In lower case. */
  kind: string | undefined;
  /** The values of its `data` and `stringData`. */
  readonly values: Range[] = [];
  readonly outer: Mapping | undefined;

  constructor(outer?: Mapping) {
    this.outer = outer;
  }

  /** A mapping without a kind in the list of a SecretList is a Secret too. */
  get isSecret(): boolean {
    if (this.kind !== undefined) return this.kind === 'secret';
    let outer = this.outer;
    while (outer !== undefined && outer.kind === undefined) outer = outer.outer;
    return outer?.kind === 'secretlist';
  }
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
