/** True for a template (`${VAR}`, `{{ var }}`, `<your-token>`, `%s`) or a mask. */
export function isTemplate(value: string): boolean {
  return variable.test(value) || masked.test(value) || phrase.test(value);
}

/** True for `<your-token>`, `${VAR}`, `xxxx`, `***`, `changeme`, `null` and our own placeholder. */
export function isPlaceholder(value: string): boolean {
  const text = value.length > 200 ? value.slice(0, 200) : value;
  return variable.test(text) || masked.test(text) || phrase.test(text) || noValue.test(text);
}

const variable =
  /^[<[{(]|^\$|^%[\w.-]*%?$|^@[\w.]+@|\$\{|\{\{|\$\(|<redacted:|<[\w -]{1,40}>|^[{%]%|%[sdv]$|^#\{|^!(?:Ref|Sub|GetAtt|ENC)|^ENC\[|^arn:/i;
const masked = /^[*.•#_=-]+$|^[xX.*-]{3,}$|[xX]{6,}|\*{3,}|\.{3}|…|•{2,}|^(.)\1{4,}$|(.)\2{11,}$/;
const phrase =
  /(?:^|[^a-z0-9])(?:your|my|the|some|any|enter|insert|replace|put|paste|fill|change|todo|fixme|dummy|fake|placeholder|example|sample|redacted|hidden|masked|omitted|secret[-_ ]?here|token[-_ ]?here|goes[-_ ]here|not[-_ ]?(?:set|a[-_ ]real|real|needed)|none|undefined|optional|required)(?:$|[^a-z0-9])|changeme|change-me|replaceme|[-_ ]here$|(?:^|[^a-z0-9])x{3,}(?:$|[^a-z0-9])|^(?:tw[oó]j[ae]?|dein[e]?|ihre?|votre|vos|seu|sua|tuo|tua|jouw|ваш|твой|你的|您的)[-_]|여기|입력|请填|入力|^(?:[a-z]+[-_])*(?:test|fake|dummy|mock|my|your)[-_](?:[a-z]+[-_])*(?:key|token|secret|password)$/i;
const noValue =
  /^(?:null|nil|none|undefined|true|false|yes|no|on|off|nan|empty|void|n\/a|unset|auto|default|disabled|enabled|string|str|number|int|integer|boolean|bool|object|array|any|unknown|never|text|varchar|bytes|char|buffer|password|passwd|passphrase|pass|pwd|secret|token|apikey|api_key|key|credentials?|auth|bearer|basic|hidden|masked|self|this|value|username|user)[?;,]?$/i;

/**
 * True for a generated value: many changes between letters and digits, or letters in an unusual order. Needs 10
 * characters; long hexadecimal and UUIDs count.
 */
export function looksRandom(value: string): boolean {
  const text = value.length > 256 ? value.slice(0, 256) : value;
  if (text.length < 10 || /[\s<>(){}]/.test(text)) return false;
  if (/^\d+$/.test(text)) return text.length >= 15 && !/^(\d)\1+$/.test(text);
  if (looksLikePath(text) || timeOrVersion.test(text)) return false;
  if (entropy(text) < (text.length >= 16 ? 2.6 : 2.9)) return false;
  if (hexLike.test(text)) return text.length >= 16 && /\d/.test(text) && /[a-f]/i.test(text);
  const { changes, digits, wordiness } = texture(text);
  if (digits > 0 && changes >= 3) return wordiness < 0.55 || changes >= 8 || changes * 4 >= text.length;
  return text.length < 16 ? wordiness < 0.45 : wordiness < 0.55;
}

/** Shannon entropy in bits per character. All characters beyond ASCII count as one. */
export function entropy(text: string): number {
  counts.fill(0);
  for (let at = 0; at < text.length; at++) {
    const code = Math.min(text.charCodeAt(at), 128);
    counts[code] = (counts[code] ?? 0) + 1;
  }
  let bits = 0;
  for (const count of counts) if (count > 0) bits -= (count / text.length) * Math.log2(count / text.length);
  return bits;
}
const counts = new Uint32Array(129);

/** True for words joined by signs or capitals, each with a short number at most: `my-secret`, `authToken2`. */
export function isWordy(value: string): boolean {
  if (value.length > 120) return false;
  const words = value.split(/[^A-Za-z0-9]+|(?<=[a-z])(?=[A-Z])/).filter((word) => word !== '');
  if (words.length === 0) return true;
  return words.every((word) => /^(?:[A-Z]?[a-z]*|[A-Z]+)\d{0,4}$/.test(word) && wordLike(word));
}

/** True for code: a call, a member, an index, an operator, a template. */
export function isExpression(value: string): boolean {
  return (
    /[([{]|\)$|=>|&&|\|\||->|::|\+\+/.test(value) ||
    (/^[A-Za-z_$][\w$]*(?:\??\.[A-Za-z_$][\w$]*)+[;,]?$/.test(value) &&
      !value.split('.').some((part) => part.length >= 20 && looksRandom(part))) ||
    /^[&*!][A-Za-z_]/.test(value)
  );
}

/** True for the name of a type with a number in it, as after a name in code: `Uint8Array`, `Ed25519PrivateKey`. */
export function isTypeName(value: string): boolean {
  return typeName.test(value);
}
const typeName =
  /^(?:[A-Z][a-z]{0,14}|[A-Z]{1,6}|\d{1,5}[a-z]{0,2}\d?){1,8}?(?:Array|String|Str|Key|Token|Secret|Buffer|Bytes|Hash|Digest|Type|Pair|Selector|Reference|Ref|Options|Config|Spec|Dto|Bearer|Client|Constructor|Provider|Store|Credential|Data|Value|Input|Field|Payload|Response|Request|Schema|Model|Entity|Handle|Id|Url|Uri|Point|Scalar|Signer|Cipher|Verifier|Service|Manager|Context|Encoded|Like|Error|Info|Source)s?(?:V?\d{1,4})?$/;

/** True for a path or an address without credentials. */
export function looksLikePath(value: string): boolean {
  if (/^(?:\.{0,2}|~|[A-Za-z]:)[/\\]/.test(value))
    return value.split(/[/\\]/).every((part) => part.length < 24 || isWordy(part));
  if (/^[a-z][a-z0-9+.-]*:\/\//i.test(value)) return true;
  if (fileEnding.test(value)) return true;
  return value.includes('/') && value.split('/').every((part) => isWordy(part));
}

const fileEnding =
  /\.(?:json|ya?ml|toml|ts|js|mjs|go|py|rs|md|txt|pem|key|crt|env|sh|sql|html|css|png|log|lock)$/i;
const timeOrVersion =
  /^\d{4}-\d\d-\d\d|^v?\d+\.\d+(?:\.\d+)?(?:[-+.]|$)|^sha(?:1|256|384|512)[-:]|^\d[\d.,:_-]*$/;
const hexLike = /^(?:[0-9a-f-]+|[0-9A-F-]+|[0-9a-fA-F]+)$/;

function texture(text: string) {
  // Changes between lower case, capitals and digits, without those of camelCase.
  let changes = 0;
  let digits = 0;
  let pairs = 0;
  let common = 0;
  for (let at = 0; at < text.length; at++) {
    const kind = kindOf(text.charCodeAt(at));
    const next = at + 1 < text.length ? kindOf(text.charCodeAt(at + 1)) : 0;
    if (kind === 3) digits++;
    if (kind === 0 || next === 0) continue;
    if (kind !== next && !(kind === 2 && next === 1)) changes++;
    if (kind === 3 || next === 3) continue;
    pairs++;
    if (commonPairs.has(text.slice(at, at + 2).toLowerCase())) common++;
  }
  // The share of letter pairs that are common in English: about 0.28 for random letters. Without adjacent letters it is not a word.
  return { changes, digits, wordiness: pairs < 3 ? 0 : common / pairs };
}

function kindOf(code: number): 0 | 1 | 2 | 3 {
  if (code >= 97 && code <= 122) return 1;
  if (code >= 65 && code <= 90) return 2;
  return code >= 48 && code <= 57 ? 3 : 0;
}

function wordLike(word: string): boolean {
  if (word.length > 16) return false;
  const letters = word.replace(/\d+$/, '');
  return letters.length < 6 || texture(letters).wordiness >= (letters.length < 10 ? 0.35 : 0.5);
}

/**
 * The commonest letter pairs in English and in identifiers. Of real identifiers of 16 letters 99 in 100 have a
 * share of at least 0.6, of random letters 95 in 100 at most 0.5 (measured on the data of bench/redaction.mjs).
 */
const commonPairs = new Set(
  `th he in er an re on at en nd ti es or te of ed is it al ar st to nt ng se ha as ou io le ve co me de hi
   ri ro ic ne ea ra ce li ch ll be ma si om ur ca el ta la ns di fo ho pe ec pr no ct us ac ot il tr ly
   nc et ut ss so rs un lo wa ge ie wh ee wi em ad ol rt po we na ul ni ts mo ow pa im mi ai sh ir su id
   os iv ia am fi ci vi pl ig tu ev ld ry mp fe bl ab gh ty op wo sa ay ex ke fr oo av ag if ap gr od bo
   sp rd do uc bu ei ov by rm ep tt oc fa ef cu rn sc gi da yo cr cl du ga qu ue ff ba ey ls va um pp ua
   up lu go ht ru ug ds lt pi rc rr eg au ck ew mu br bi pt`.split(/\s+/),
);

/** A single line, or wrapped base64. */
export function isOneWord(text: string): boolean {
  return !text.includes('\n') || /^[A-Za-z0-9+/=_-]{40,80}\r?\n[A-Za-z0-9+/=_-]{1,80}(?:\r?\n|$)/.test(text);
}
