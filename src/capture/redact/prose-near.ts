import { fingerprint, type SaidNoun, shortcut } from './prose-value.ts';
import type { Range } from './range.ts';
import { isPlaceholder, looksLikePath, looksRandom } from './value.ts';

const windowChars = 140;

type Span = readonly [start: number, end: number];

/**
 * A value that can only be generated, with nothing but words between it and a noun, on either side: `no, not that key, take x`,
 * `you asked for the password? it is x`, `x goes into NAME_TOKEN`. The words of the line tell what else is generated: commits, sums, ids.
 */
export function generatedNear(text: string, start: number, end: number, noun: SaidNoun): Range | undefined {
  const from = Math.max(text.lastIndexOf('\n', start - 1) + 1, start - windowChars);
  const line = text.slice(from, end + windowChars).split('\n', 1)[0] ?? '';
  if (!/\d/.test(line)) return undefined;
  const at: Span = [start - from, end - from];
  const found = noun === 'pin' ? pinNear(line, at) : valueNear(line, at, noun);
  return found && { start: found[0] + from, end: found[1] + from };
}

function valueNear(line: string, [nounAt, nounEnd]: Span, noun: SaidNoun): Span | undefined {
  if (otherThings.test(line)) return undefined;
  for (const found of line.matchAll(candidate)) {
    const at = found.index + (opening.exec(found[0])?.[0].length ?? 0);
    const value = found[0].slice(at - found.index).replace(closing, '');
    const end = at + value.length;
    if (at < nounEnd && end > nounAt) continue;
    if (!words.test(at < nounEnd ? line.slice(end, nounAt) : line.slice(nounEnd, at))) continue;
    const isGiven = leads.test(line.slice(0, at));
    if (uuid.test(value) && !isGiven && !refusal.test(line)) continue;
    const isLed = isGiven || follows.test(line.slice(end));
    if (isGenerated(value, noun, isLed) && !isPlaceholder(value)) return [at, end];
  }
  return undefined;
}

const candidate = /(?<![\w./-])[!-~]{8,160}/g;
const opening = /^["'`(*_[<:]*/;
const closing = /["'`)*\]>,;:!?]*(?:\.["'`)]*)?$/;
/** Words, and what stands around a quoted value; not code. */
const words = /^[\p{L}\p{M}\d\s.,:;?!'"`’“”„«»「」『』–—―、，。：！？¿¡()*|-]{1,120}$/u;
const otherThings =
  /\b(?:commits?|sha-?\d*|hash(?:es|ed)?|checksums?|digests?|revisions?|sessions?|uuids?|ids?|guid|traces?|fingerprints?|public|integrity|ssh-(?:rsa|ed25519)|request|empreinte|huella|impronta|prüfsumme|somme|sesi[oó]n|sess[aã]o|sessione|sitzung)\b|提交|哈希|会话|コミット|ハッシュ|セッション|(?<!非)公開|公钥|커밋|해시|세션|공개|коммит|хеш|хэш|сесси|публичн|открыт/i;
const address = /^[a-z+]+:\/\/|^[\w.+-]+@[\w-]+\.[\w.]+$|^[@#$%]|^--?\w|^v?\d+(?:\.\d+)+|\.{2}/i;
const isBase32 = /^(?=(?:.*\d){4})[a-z\d]{32,}$/;
const uuid = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/i;
/** Then what is given in its place comes without a verb. */
const refusal =
  /^[\s>*-]{0,4}(?:(?:nope|not?|wrong|nein|falsch|non|não|nao|нет|ні|không|לא|hayır|nie|nee|nej)(?![\p{L}\d])|不|违|違|いいえ|아니)/iu;
/** `Marble_lantern132`: only a verb makes it a password. */
const numberedWord = /^(?=.*[a-z]{4})(?=.*\d\d)[\w!-]{8,40}$/i;

/** `isLed`: a verb or sign stands between it and the words. */
function isGenerated(value: string, noun: SaidNoun, isLed: boolean): boolean {
  if (looksLikePath(value) || address.test(value) || fingerprint.test(value)) return false;
  const [hasDigit, hasLower, hasUpper] = [/\d/.test(value), /[a-z]/.test(value), /[A-Z]/.test(value)];
  if (/^[\da-f]{32,128}$/i.test(value)) return hasDigit && (hasLower || hasUpper);
  if (uuid.test(value)) return noun !== 'password';
  if (/^[\w+/.-]{20,160}={0,2}$/.test(value))
    return hasDigit && hasLower && (hasUpper || isBase32.test(value)) && looksRandom(value);
  if (
    noun === 'token' ||
    value.length > 64 ||
    shortcut.test(value) ||
    /[()[\]{};]|^\w+=|^[a-z]+#[a-z-]+\d*$|^(?:bcrypt|argon|scrypt|pbkdf)|^\w+@\w+(?:\.\w+)+$/.test(value)
  )
    return false;
  const hasSign = /\w[!@#$%^&*+=?~]+-?\w|\w[!#$%&*?~]+$/.test(value);
  return (
    hasDigit &&
    (hasLower || hasUpper) &&
    (hasSign || (noun === 'password' && isLed && numberedWord.test(value)))
  );
}

const is = '(?:is|ist|lautet|est|es|è|é|er|är|jest|brzmi|to|это|—|:|：|\\?|？|=|[은는이가はがも是为])';
const leads = new RegExp(`(?:^|[\\s'’]|[^\\x00-\\x7f])${is}["'\`«“„「]? ?$`, 'iu');
const follows = new RegExp(`^["'\`»”」]? ?${is}(?:\\s|$|[^\\x00-\\x7f])`, 'iu');
/** Without `to`, which leads from the English verb. */
const isPin = is.replace('|to|', '|');
const article = '(?: (?:el|il|le|la|o|the|den|das))?';
const pinAfter = new RegExp(
  `^[\\p{L}\\s]{0,40}?${isPin}${article} ?["'\`]?(\\d{4,8})(?![\\da-z:/-]|\\.\\d|\\s*(?:digits|chars|%))`,
  'iu',
);
/** `code PIN 709816`, `PIN設成6697`: a number of six digits, or one behind a noun that only a person has. */
const pinBeside = /^(?:[ \p{L}]{0,24}[ \p{L}])?(\d{4,8})(?![\da-z:/-]|\.\d|\s*(?:digits|chars|%))/iu;
const pinBefore = new RegExp(`(?<![\\d.:/#-])(\\d{4,8})["'\`]? ?${isPin}[ \\p{L}]{0,30}$`, 'iu');

function pinNear(line: string, [start, end]: Span): Span | undefined {
  const isOfPerson = /^PIN$|code|kod|码|碼|番号|[^\x00-\x7f]/.test(line.slice(start, end));
  const after = pinAfter.exec(line.slice(end)) ?? (isOfPerson ? pinBeside.exec(line.slice(end)) : null);
  if (after?.[1] !== undefined) {
    const at = end + after[0].lastIndexOf(after[1]);
    return [at, at + after[1].length];
  }
  const before = pinBefore.exec(line.slice(0, start));
  return before?.[1] === undefined ? undefined : [before.index, before.index + before[1].length];
}

/** `the passphrase of the backup is correct horse battery staple`: four words or more to the end of a clause, none of them one of grammar. */
export function phraseAfter(text: string, end: number): Range | undefined {
  const ahead = text.slice(end, end + windowChars);
  const found = phrase.exec(ahead) ?? joined.exec(ahead);
  const said = found?.[1];
  if (found === null || said === undefined || grammar.test(said)) return undefined;
  const at = end + found[0].lastIndexOf(said);
  return { start: at, end: at + said.length };
}
const phrase = new RegExp(
  `^[^\\n.,;:?!]{0,60}?(?<=[\\s\\p{L}]|^)${is} ?["'\`«“„「]? ?((?:[\\p{L}\\d]{3,12}[ -]){3,7}[\\p{L}\\d]{2,12})(?=["'\`»”」.,;!) ]{0,3}(?:$|\\n|[.,;!]))`,
  'iu',
);
const grammar =
  /(?<!\p{L})(?:the|and|for|not|too|has|was|are|you|your|from|with|this|that|than|when|only|never|always|stored|used|set|asked|now|der|die|das|und|ist|nicht|sehr|zum|zur|wird|wurde|les|des|est|pas|une|pour|dans|trop|que|para|muy|una|los|las|por|con|che|per|non|del|della|nel|uma|não|muito|het|een|niet|van|voor|nie|jest|dla|przez|для|это|что|как|уже|слишком)(?!\p{L})|(?:ed|ing|ly)(?!\p{L})/iu;
/** `peach-kettle-onyx-saddle-03` */
const joined = /^[^\n]{0,60}?[\s:"'`«“„]((?:\p{L}{3,12}-){3,7}[\p{L}\d]{2,12})(?![\w./-])/u;
