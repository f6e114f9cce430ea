import { isExpression, isPlaceholder, isTypeName, isWordy, looksLikePath, looksRandom } from '#redact/form';

/** `key` is a word that often means something else (`key`, `clave`): only a value that must be generated counts. */
export type SaidNoun = 'password' | 'pin' | 'token' | 'key';

/** The KIND of what a noun names. */
export function kindOfNoun(noun: SaidNoun | 'login'): 'password' | 'secret' {
  return noun === 'password' || noun === 'login' ? 'password' : 'secret';
}

/**
 * How a sentence leads from the noun to the value. `direct`: by a verb or sign (`the password is x`). `loose`: with words
 * before that (`the password for staging is x`). `next`: directly behind it (`with the token x`). `near`: only the next word that is not a
 * plain one. `written`: behind a sign, where code may be too.
 */
export type Link = 'direct' | 'loose' | 'next' | 'near' | 'written';

/** Whether a value in a sentence is a secret. */
export function judgeSaid(value: string, noun: SaidNoun, link: Link, quoted: boolean): boolean {
  if (isTooPlain(value, noun, link) || isPlaceholder(value)) return false;
  if (noun === 'pin') return /^\d{4,8}$/.test(value);
  if (isPath(value) && !mixedWord.test(value)) return false;
  if (noun === 'password') return isPassword(value, link, quoted);
  if (link === 'next' && (value.length < 20 || fingerprint.test(value))) return isMixed(value, 16);
  if (/\s/.test(value) || (isExpression(value) && !base64.test(value))) return false;
  if (noun === 'key' && link === 'direct' && joinedWord.test(value)) return true;
  return noun === 'token' && link !== 'near' ? isToken(value) : isMixed(value, link === 'near' ? 16 : 10);
}

/** Settles most words of a sentence without the slower tests. */
function isTooPlain(value: string, noun: SaidNoun, link: Link): boolean {
  if (value.length < (noun === 'token' || noun === 'key' ? 10 : 4) || /^(?:SHA\d{1,3}|MD5):/.test(value))
    return true;
  return (link === 'near' || noun === 'key') && !/\d/.test(value);
}

const base64 = /^[A-Za-z0-9+/_-]{16,512}={0,2}$/;
/** Of a public key, as GnuPG prints it. */
export const fingerprint = /^[0-9A-F]{40}$/;

function isPassword(value: string, link: Link, quoted: boolean): boolean {
  if (isExpression(value) && !(/^(?:direct|loose)$/.test(link) && mixedWord.test(value))) return false;
  if (/\s/.test(value)) return quoted && link !== 'near' && isPhrase(value);
  if (/^\d{6,}$/.test(value)) return link === 'direct';
  if (isTechnical(value) && !(link !== 'near' && (mixedWord.test(value) || joinedWord.test(value))))
    return false;
  if (link === 'near' || link === 'written') return isUnsaidPassword(value, link);
  if (hasBoth.test(value) && value.length >= 6) return link === 'direct' || !numbered.test(value);
  return (hasSign.test(value) && value.length >= 6) || (link === 'direct' && isPlainPassword(value, quoted));
}

/** No verb leads to it, so it must look more like one. */
function isUnsaidPassword(value: string, link: Link): boolean {
  if (value.length < 8 || !hasBoth.test(value)) return false;
  return hasSign.test(value) || isMixed(value, 10) || (link === 'written' && joinedWord.test(value));
}

const hasBoth = /^(?=.*\d).*\p{L}/su;
const hasSign = /\p{L}[!@#$%^&*+~]+[\p{L}\d]/u;

/** Words that are no sentence, or one in quotes that says nothing of a password. */
function isPlainPassword(value: string, quoted: boolean): boolean {
  if (/^[a-z]{3,12}(?:-[a-z]{3,12}){3,7}$/.test(value)) return !sentence.test(value);
  return quoted && /^\p{L}{5,}$/u.test(value) && !predicate.test(value);
}

/** Without a password's freedom: it must look generated, or mix letters and digits twice. */
function isToken(value: string): boolean {
  if ((value.length < 24 && isTechnical(value)) || isTypeName(value)) return false;
  if (looksRandom(value)) return true;
  // Cut, since such a pattern reads a value without digits again from each letter.
  const isMixedTwice = /\d.*[a-z].*\d|[a-z].*\d.*[a-z].*\d/i.test(value.slice(0, 64));
  return isMixedTwice && value.length >= 12 && !isWordy(value);
}

/** Generated, and not a hash or an id: digits and both cases. */
function isMixed(value: string, charsMin: number): boolean {
  if (value.length < charsMin || isTechnical(value)) return false;
  return /\d/.test(value) && /[a-z]/.test(value) && /[A-Z]/.test(value) && looksRandom(value);
}

/** A file, a path, an option or a variable. Of base64 with a `/`, some part looks generated and the first is not a word. */
function isPath(value: string): boolean {
  if (fileName.test(value) || looksLikePath(value)) return true;
  if (!value.includes('/')) return false;
  const parts = value.split('/');
  if (/^[@~.]|^[a-z]{3,}$|^[A-Z][a-z]{3,}$/.test(parts[0] ?? '')) return true;
  return !parts.some((part) => /[g-z]/i.test(part) && looksRandom(part));
}
const fileName = /^[\w-]+(?:\.[a-z]{1,5}){1,2}\d?$|^-{1,2}[a-z]|^\$|^%/i;

/** A passphrase of some words that are not a sentence. */
function isPhrase(value: string): boolean {
  return /^[a-z]{3,12}(?: [a-z]{3,12}){2,7}$/.test(value) && !sentence.test(value);
}
const sentence =
  /\b(?:the|and|for|not|must|has|have|should|with|too|are|was|can|cannot|your|this|that|from|does|any|password|please|enter|required|at|least)\b/;

/** A name, a label, a term of the trade or a quantity. */
function isTechnical(value: string): boolean {
  const isName = (isWordy(value) && /[_.:]/.test(value)) || isTypeName(value);
  return isName || label.test(value) || technical.test(value) || measure.test(value) || shortcut.test(value);
}
/** A password of words and digits that only a person joins: `Blue-horse77`. */
const joinedWord = /^(?=.*[A-Z])(?=.*[a-z])[A-Za-z]{3,}[-_!@#$%&*+][A-Za-z]{3,}[!@#$%&*+]?\d{1,6}$/;
/** A password of words, a capital and digits, joined as a name is: `Blue_horse77`, `Blue.Horse7`, `Blue_Horse#77`. */
const mixedWord =
  /^(?=.*[a-z])(?=.*[A-Z])[A-Za-z]+_[A-Za-z]+[!@#$%&*+]?\d{1,6}$|^[A-Z][a-z]{3,}\.[A-Z][a-z]{3,}\d{1,4}$/;
/** Algorithms, protocols and products that have digits in their names. */
export const technical =
  /^(?:sha|md|rs|hs|es|ps|aes|des|3des|rsa|ed|rfc|utf|utf8|base|http|tls|ssl|oauth|oauth2|saml|auth|argon|bcrypt|scrypt|pbkdf|pkcs|gpio|iso|ascii|latin|ntlm|web|win|ipv|c\+\+|1password|2fa|mfa|gpt|ios|jwt|cp|ucs|hkdf|blake|xxh|chacha|curve|secp|ecdsa|crc)[-_]?\d[\w-]{0,15}$|^[a-z]\d+$|^(?:1password|2fa|k8s|ed25519|[\w-]*(?:sha|hmac|aes|bcrypt|argon|pbkdf|oauth|base64|utf)[\w-]*)$/i;
/** `72bytes`, `12caracteres`, `2nd`, `128k`, `v2.3`, `5V`, dates, ticket numbers, addresses of hosts. */
export const measure =
  /^[\d.,:x~-]+[a-zµ%]{0,14}$|^v?\d+(?:\.\d+)+|^\d{4}-\d\d-\d\d|^#[\da-f]{3,8}$|^#?\d+$(?<!\d{6})|^[A-Z]{2,8}-?\d{1,5}$|^[\w-]+(?:\.[\w-]+)+:\d+$/;
const label = /passw|pwd|token|secret|credential|^(?:type|name|id)=/i;
export const shortcut = /^(?:ctrl|cmd|alt|shift|meta|super|option)\+/i;
/** A common word with a number, which only a direct verb makes a password: `user42`. */
const numbered =
  /^(?:users?|test|tests|step|page|line|issue|bug|pr|port|app|config|setup|fix|file|col|row|item|node|host|server|client|version|phase|case|part|level|type|num|key|project|task|table|db|api|dev|prod|app|module|chapter|section|example|sample|option|method|admin|group|role|service)[-_]?\d+$/i;
const predicate =
  /^(?:wrong|right|correct|incorrect|invalid|valid|empty|blank|missing|weak|strong|safe|secure|short|optional|required|hidden|masked|plain|plaintext|encrypted|hashed|known|unknown|expired|default|string|number|boolean|object|symbol|bigint|false|undefined|changed|reset|input|submit|email|username|login|basic|bearer|admin|guest|falsch|richtig|leer|incorrecta?|incorrecto?|obligatoria|vide|public|private|static|const|dummy|bytes|binary|base|text|varchar|char|hash|value|values|never|always|onchange)$/i;
