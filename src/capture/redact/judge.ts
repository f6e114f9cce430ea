import type { Telling } from './name.ts';
import { ranks, type Span } from './rule.ts';
import { isExpression, isPlaceholder, isWordy, looksLikePath, looksRandom } from './value.ts';

/** How a value stands in its text; what is likely a secret differs. */
export interface Form {
  /** Between quotes, or a value of JSON. */
  readonly quoted: boolean;
  /** `NAME=value` without spaces, as in a shell or an `.env` file. */
  readonly tight: boolean;
  /** The name and value are all there is on the line. */
  readonly alone: boolean;
  /** Name and value are merely neighbours (`f("TOKEN", "x")`): only what looks generated counts. */
  readonly loose: boolean;
}

/** The kind and rank of a value assigned to `name`: `env` for UPPER_SNAKE names. */
export function kindOf(name: string, telling: Telling): Pick<Span, 'kind' | 'rank'> {
  if (/^[A-Z][A-Z0-9_]*$/.test(name)) return { kind: 'env', rank: ranks.env };
  if (telling === 'maker' || telling === 'token') return { kind: 'high-entropy', rank: ranks.hint };
  return { kind: telling === 'password' ? 'password' : 'secret', rank: ranks.assignment };
}

/** Whether `value`, assigned to a name that tells this much, is to go. */
export function isSecret(name: string, telling: Telling, value: string, form: Form): boolean {
  if (telling === 'none' || isPlaceholder(value)) return false;
  if (/^pass$/i.test(name) && !form.tight && !form.quoted) return form.alone && looksRandom(value);
  const random = looksRandom(value);
  if (form.loose || telling === 'maker') return random && value.length >= 14 && !isExpression(value);
  if (telling === 'token' && !form.tight) return random && !isExpression(value);
  if (form.quoted) return isSecretLiteral(name, telling, value, random);
  if (isExpression(value) && !(form.tight && /^[A-Z]/.test(name) && !/[([]/.test(value))) return false;
  if (form.tight && /^[A-Z][A-Z0-9_]*$/.test(name)) return isSecretVariable(telling, value, random);
  return isSecretBare(telling, value, random, form);
}

function isSecretLiteral(name: string, telling: Telling, value: string, random: boolean): boolean {
  if (random) return true;
  if (looksLikePath(value) || isExpression(value))
    return telling === 'password' && !/[\s(]/.test(value) && /\d/.test(value);
  const upper = /^[A-Z][A-Z0-9_]*$/.test(name);
  if (telling === 'password') return !isLabel(value);
  if (/\s/.test(value) || value.length < 6) return false;
  return !isWordy(value) || /\d/.test(value) || (upper && telling === 'secret' && !/[-_. ]/.test(value));
}

/** A value of `NAME=value` in a shell or `.env` file. */
function isSecretVariable(telling: Telling, value: string, random: boolean): boolean {
  if (random) return true;
  if (looksLikePath(value)) return false;
  if (/^\d+$/.test(value)) return telling === 'password' && value.length >= 4;
  if (telling === 'password' || telling === 'secret') return value.length >= 3;
  return value.length >= 6 && !/^[A-Z_]+$/.test(value);
}

/** A value without quotes, which in code is as like to be a variable. */
function isSecretBare(telling: Telling, value: string, random: boolean, form: Form): boolean {
  if (random) return true;
  if (value.length < 6 || looksLikePath(value))
    return telling === 'password' && /^\d{4,}$/.test(value) && form.alone;
  if (/^\d+$/.test(value)) return telling === 'password' && form.alone;
  const identifier = /^[A-Za-z_$][\w-]*$/.test(value);
  if (!identifier)
    return /[A-Za-z]/.test(value) && /[\d!@#$%^*~]/.test(value) && !/^[\d.]+[a-z]{0,3}$/.test(value);
  if (telling !== 'password' || namesSomething.test(value)) return !isWordy(value) && /\d/.test(value);
  return (
    form.alone &&
    !/\b(?:foo|bar|baz)\b/.test(value) &&
    (/\d/.test(value) || /^[a-z]{7,}$|^[a-z]+-[a-z-]+$/.test(value))
  );
}

const namesSomething =
  /pass|pwd|token|secret|key|cred|value|input|user|env|conf|arg|param|field|prompt|hash|encrypt|plain|result|res$|data|body|str|text|type|test|required|optional|login|auth/i;

/** True for a text that a person reads on a form, or a message, rather than a password. */
function isLabel(value: string): boolean {
  if (
    /^(?:current|new|old|confirm|your|enter|forgot|reset|change|show|hide|invalid|wrong|missing|incorrect|set|update)\b/i.test(
      value,
    )
  )
    return true;
  if (/\s/.test(value))
    return (
      /passw|must|requir|charact|please|invalid|incorrect|match|short|long|enter|[^\x20-\x7e]|[.:!?]$/i.test(
        value,
      ) || /^[A-Z][a-z]+(?: [a-z]+)+$/.test(value)
    );
  return /[^\x20-\x7e]/.test(value) && !/\d/.test(value)
    ? true
    : /^(?:[a-z]+[-_.])*(?:password|passwd|pwd)(?:[-_.][a-z]+)*$/i.test(value);
}
