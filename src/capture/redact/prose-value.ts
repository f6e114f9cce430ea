import { isExpression, isPlaceholder, isWordy, looksLikePath, looksRandom } from './value.ts';

export type SaidNoun = 'password' | 'pin' | 'token';

/** Whether a value in a sentence is a secret. `direct`: the noun's own verb leads to it (`the password is x`). */
export function judgeSaid(value: string, noun: SaidNoun, link: 'direct' | 'loose', quoted: boolean): boolean {
  if (value.length < 4 || isPlaceholder(value) || isExpression(value) || looksLikePath(value)) return false;
  if (noun === 'pin') return /^\d{4,8}$/.test(value);
  if (/\s/.test(value)) return noun === 'password' && quoted && isPhrase(value);
  if (technical.test(value) || measure.test(value) || fileName.test(value)) return false;
  const isName = isWordy(value) && /[_.:]/.test(value);
  if (isName || label.test(value)) return false;
  if (noun === 'token') return isToken(value);
  if (/^\d+$/.test(value)) return link === 'direct' && value.length >= 6;
  const hasBoth = /\d/.test(value) && /\p{L}/u.test(value);
  if (hasBoth && value.length >= 6) return link === 'direct' || !numbered.test(value);
  if (/\p{L}[!@#$%^&*+~]+[\p{L}\d]/u.test(value) && value.length >= 6) return true;
  return quoted && link === 'direct' && /^\p{L}{5,}$/u.test(value) && !predicate.test(value);
}

/** Without a password's freedom: it must look generated, or mix letters and digits twice. */
function isToken(value: string): boolean {
  if (looksRandom(value)) return true;
  return value.length >= 12 && !isWordy(value) && /\d.*[a-z].*\d|[a-z].*\d.*[a-z].*\d/i.test(value);
}

/** A passphrase of some words that are not a sentence. */
function isPhrase(value: string): boolean {
  return /^[a-z]{3,12}(?: [a-z]{3,12}){2,7}$/.test(value) && !sentence.test(value);
}
const sentence =
  /\b(?:the|and|for|not|must|has|have|should|with|too|are|was|can|cannot|your|this|that|from|does|any|password|please|enter|required|at|least)\b/;

/** Algorithms, protocols and products that have digits in their names. */
const technical =
  /^(?:sha|md|rs|hs|es|ps|aes|des|3des|rsa|ed|rfc|utf|utf8|base|http|tls|ssl|oauth|oauth2|saml|auth|argon|bcrypt|scrypt|pbkdf|pkcs|gpio|iso|ascii|latin|ntlm|web|win|ipv|c\+\+|1password|2fa|mfa|gpt|ios|jwt|cp|ucs|hkdf|blake|xxh|chacha|curve|secp|ecdsa|crc)[-_]?\d[\w-]*$|^[a-z]\d+$|^(?:1password|2fa|k8s|ed25519|[\w-]*(?:sha|hmac|aes|bcrypt|argon|pbkdf|oauth|base64|utf)[\w-]*)$/i;
/** `72bytes`, `12caracteres`, `2nd`, `128k`, `v2.3`, `5V`, dates, ticket numbers, addresses of hosts. */
const measure =
  /^[\d.,:x~-]+[a-zµ%]{0,14}$|^v?\d+(?:\.\d+)+|^\d{4}-\d\d-\d\d|^#?\d+$(?<!\d{6})|^[A-Z]{2,8}-?\d{1,5}$|^[\w-]+(?:\.[\w-]+)+:\d+$/;
const fileName = /^[\w-]+(?:\.[a-z]{1,5}){1,2}\d?$|^[@\w.-]+\/[\w.-]+$|^-{1,2}[a-z]|^\$|^%/i;
const label = /passw|pwd|token|secret|credential|^(?:type|name|id)=/i;
/** A common word with a number, which only a direct verb makes a password: `user42`. */
const numbered =
  /^(?:users?|test|tests|step|page|line|issue|bug|pr|port|app|config|setup|fix|file|col|row|item|node|host|server|client|version|phase|case|part|level|type|num|key|project|task|table|db|api|dev|prod|app|module|chapter|section|example|sample|option|method|admin|group|role|service)[-_]?\d+$/i;
const predicate =
  /^(?:wrong|right|correct|incorrect|invalid|valid|empty|blank|missing|weak|strong|safe|secure|short|optional|required|hidden|masked|plain|plaintext|encrypted|hashed|known|unknown|expired|default|string|number|boolean|object|symbol|bigint|false|undefined|changed|reset|input|submit|email|username|login|basic|bearer|admin|guest|falsch|richtig|leer|incorrecta?|incorrecto?|obligatoria|vide|public|private|static|const|dummy|bytes|binary|base|text|varchar|char|hash|value|values|never|always|onchange)$/i;
