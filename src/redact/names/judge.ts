import {
  isExpression,
  isPlaceholder,
  isTypeName,
  isWordy,
  looksLikePath,
  looksRandom,
  ranks,
  type Span,
} from '#redact/form';
import type { Sensitivity } from './name.ts';

/** How a value is written. */
export interface ValueForm {
  /** In quotes, or a JSON value. */
  readonly quoted: boolean;
  /** `NAME=value` without spaces, as in a shell or an `.env` file. */
  readonly tight: boolean;
  /** Name and value are alone on the line. */
  readonly alone: boolean;
  /** Name and value are only neighbours (`f("TOKEN", "x")`), so the value must look generated. */
  readonly loose: boolean;
}

/** Of a string in JSON, in an element, in a column. */
export const quotedForm: ValueForm = { quoted: true, tight: false, alone: false, loose: false };

/** The kind and rank of a value assigned to `name`: `env` for UPPER_SNAKE names. */
export function kindOf(name: string, sensitivity: Sensitivity): Pick<Span, 'kind' | 'rank'> {
  if (constant.test(name)) return { kind: 'env', rank: ranks.env };
  if (sensitivity === 'vendor' || sensitivity === 'token') return { kind: 'high-entropy', rank: ranks.hint };
  return { kind: sensitivity === 'password' ? 'password' : 'secret', rank: ranks.assignment };
}

/** Of a region or a size: `fra1-s-2vcpu-4gb`. */
const slug =
  /^(?:[a-z]{1,10}\d{0,3}|\d{1,3}[a-z]{0,8})(?:[-._](?:[a-z]{1,10}\d{0,3}|\d{1,3}[a-z]{0,8})){1,8}$/;

export function isSecret(name: string, sensitivity: Sensitivity, value: string, form: ValueForm): boolean {
  if (sensitivity === 'none' || isPlaceholder(value)) return false;
  const isPass = /^pass$/i.test(name);
  const isBare = !form.tight && !form.quoted;
  // Of tests too, but not tight.
  if (isPass && isBare) return form.alone && looksRandom(value);
  const kind = isPass && form.tight ? 'password' : sensitivity;
  // A password may be a type's name with a digit.
  if (isBare && isTypeName(value) && !(kind === 'password' && /\d$/.test(value))) return false;
  const random = looksRandom(value);
  if (form.loose || kind === 'vendor')
    return random && value.length >= 14 && !isExpression(value) && !slug.test(value);
  if (kind === 'token' && !form.tight) return random && !isExpression(value);
  if (form.quoted) return isSecretLiteral(name, kind, value, random);
  // In a shell a value with signs of code may still be plain text.
  const mayExpand = form.tight && /^[A-Z]/.test(name) && !/[([]/.test(value);
  if (isExpression(value) && !mayExpand) return false;
  const isOptional = kind === 'password' && option.test(name) && (form.tight || !isWordy(value));
  if (isOptional || (form.tight && constant.test(name))) return isSecretVariable(kind, value, random);
  return isSecretBare(kind, value, random, form);
}

const constant = /^[A-Z][A-Z0-9_]*$/;

/** `--password`, `-Ddb.password` */
export const option = /^-(?:-|D)[a-z]/;

function isSecretLiteral(name: string, sensitivity: Sensitivity, value: string, random: boolean): boolean {
  if (random) return true;
  if (looksLikePath(value) || isExpression(value))
    return sensitivity === 'password' && !/[\s(]/.test(value) && /\d/.test(value);
  const upper = constant.test(name);
  if (sensitivity === 'password') return !isLabel(value);
  if (/\s/.test(value) || value.length < 6) return false;
  return !isWordy(value) || /\d/.test(value) || (upper && sensitivity === 'secret' && !/[-_. ]/.test(value));
}

/** A value of `NAME=value` in a shell or `.env` file. */
function isSecretVariable(sensitivity: Sensitivity, value: string, random: boolean): boolean {
  if (random) return true;
  if (looksLikePath(value)) return false;
  if (/^\d+$/.test(value)) return sensitivity === 'password' && value.length >= 4;
  if (sensitivity === 'password' || sensitivity === 'secret') return value.length >= 3;
  return value.length >= 6 && !/^[A-Z_]+$/.test(value);
}

/** A value without quotes, which in code is often a variable. */
function isSecretBare(sensitivity: Sensitivity, value: string, random: boolean, form: ValueForm): boolean {
  if (random) return true;
  if (value.length < 6 || looksLikePath(value))
    return sensitivity === 'password' && /^\d{4,}$/.test(value) && form.alone;
  if (/^\d+$/.test(value)) return sensitivity === 'password' && form.alone;
  const identifier = /^[A-Za-z_$][\w-]*$/.test(value);
  if (!identifier)
    return /[A-Za-z]/.test(value) && /[\d!@#$%^*~]/.test(value) && !/^[\d.]+[a-z]{0,3}$/.test(value);
  if (sensitivity !== 'password' || namesSomething.test(value)) return !isWordy(value) && /\d/.test(value);
  return (
    form.alone &&
    !/\b(?:foo|bar|baz)\b/.test(value) &&
    (/\d/.test(value) ||
      /^[a-z]{7,}$|^[a-z]+-[a-z-]+$|^(?=.*[a-z])(?=.*[A-Z])[A-Za-z]+(?:[_-][A-Za-z]+)+$/.test(value))
  );
}

const namesSomething =
  /pass|pwd|token|secret|key|cred|value|input|user|env|conf|arg|param|field|prompt|hash|encrypt|plain|result|res$|data|body|str|text|type|test|requ[ie]|erforder|oblig|richiest|vereist|optional|login|auth|^(?:missing|invalid|incorrect|expired|changed)$/i;

/** True for a form label or a message. */
function isLabel(value: string): boolean {
  if (labelBegins.test(value)) return true;
  if (/\s/.test(value)) return message.test(value) || /^[A-Z][a-z]+(?: [a-z]+)+$/.test(value);
  return (/[^\x20-\x7e]/.test(value) && !/\d/.test(value)) || passwordWord.test(value);
}

const labelBegins =
  /^(?:current|new|old|confirm(?:er|ar|e)?|your|enter|forgot|reset|change|show|hide|invalid|wrong|missing|incorrect|set|update)\b/i;
const message =
  /passw|must|requir|charact|please|invalid|incorrect|match|short|long|enter|[^\x20-\x7e]|[.:!?]$/i;
const passwordWord =
  /^(?:[a-z]+[-_.])*(?:passwor[dt]|passwd|pwd|kennwort|senha|parola|wachtwoord|salasana|adgangskode|passord|heslo)(?:[-_.][a-z]+)*$/i;
