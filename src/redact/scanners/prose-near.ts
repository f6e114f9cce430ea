import { isPlaceholder, isTypeName, looksLikePath, looksRandom, type Range } from '#redact/form';
import { fingerprint, type SaidNoun, shortcut } from './prose-value.ts';

const windowChars = 200;

type Span = readonly [start: number, end: number];

/**
 * A value that can only be generated, with nothing but words between it and a noun, on either side: `no, not that key, take x`,
 * `you asked for the password? it is x`, `x goes into NAME_TOKEN`. The words of the line tell what else is generated: commits, sums, ids.
 */
export function generatedNear(text: string, start: number, end: number, noun: SaidNoun): Range | undefined {
  const { from, line } = lineAround(text, start, end);
  if (!/\d/.test(line)) return undefined;
  const at: Span = [start - from, end - from];
  const found = noun === 'pin' ? pinNear(line, at) : valueNear(line, at, noun);
  return found && { start: found[0] + from, end: found[1] + from };
}

/** Not the whole of a long line: nouns may be many. */
function lineAround(
  text: string,
  start: number,
  end: number,
): { readonly from: number; readonly line: string } {
  const before = text.slice(Math.max(0, start - windowChars), start);
  const from = start - before.length + before.lastIndexOf('\n') + 1;
  const ahead = text.slice(end, end + windowChars);
  const stop = ahead.indexOf('\n');
  return { from, line: text.slice(from, end + (stop < 0 ? ahead.length : stop)) };
}

function valueNear(line: string, [nounAt, nounEnd]: Span, noun: SaidNoun): Span | undefined {
  if (otherThings.test(line)) return undefined;
  for (const [at, end] of candidatesIn(line)) {
    if (at < nounEnd && end > nounAt) continue;
    const value = line.slice(at, end);
    const before = line.slice(0, at);
    const between = at < nounEnd ? line.slice(end, nounAt) : line.slice(nounEnd, at);
    if (!words.test(between)) continue;
    const isGiven = leads.test(before) || (at < nounAt && follows.test(line.slice(end)));
    if (isHex.test(value) && !isGiven && !replaces.test(line) && !handing.test(before)) continue;
    const isBeside = /^["'`:*\s]+$/.test(between) || settings.test(line.slice(nounAt, at));
    const isLed = isGiven || (noun === 'password' && (isBeside || changedTo.test(before)));
    if (isGenerated(value, noun, isLed) && !isPlaceholder(value)) return [at, end];
  }
  return undefined;
}

/** The words of some length, without the marks around them. */
function* candidatesIn(line: string): Generator<Span> {
  for (const { index, 0: word } of line.matchAll(candidate)) {
    const start = opening.exec(word)?.[0].length ?? 0;
    yield [index + start, index + start + word.slice(start).replace(closing, '').length];
  }
}

const candidate = /(?<![\w./-])[!-~]{8,160}/g;
export const opening = /^[|"'`(*_[<:={]*/;
export const closing = /[|"'`)*\]>,;:!?]*(?:\.+["'`)]*)?$/;
/** Words, and what stands around a quoted value; not code. */
const words = /^[\p{L}\p{M}\d\s.,:;?!'"`’“”„«»「」『』–—―←→、，。：！？¿¡()*|/_-]{1,120}$/u;
export const otherThings =
  /\b(?:commits?|sha-?\d*|hash(?:es|ed)?|checksums?|digests?|revisions?|sessions?|uuids?|ids?|guid|traces?|fingerprints?|publi[cqk]\w*|públic\w*|pubblic\w*|integrity|ssh-(?:rsa|ed25519)|request|empreinte|huella|impronta|prüfsumme|somme|sesi[oó]n|sess[aã]o|sessione|sitzung)\b|提交|哈希|会话|コミット|ハッシュ|セッション|(?<!非)公開|公钥|커밋|해시|세션|공개|коммит|хеш|хэш|сесси|публичн|открыт/i;
const address = /^[a-z+]+:\/\/|^[\w.+-]+@[\w-]+\.[\w.]+$|^[@#$%]|^--?\w|^v?\d+(?:\.\d+)+|\.{2}/i;
const isBase32 = /^(?=(?:.*\d){4})[a-z\d]{32,}$/;
const uuid = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/i;
/** Of a commit or a sum too, which stand at the beginning of a line, or behind any words. */
const isHex = /^[\da-f-]+$/i;
const handing =
  /(?:^|[\s'’])(?:to|with|use|using|take|try|put|set|add|paste|store|auf|durch|door|mit|nimm|nutze|trag|setz[et]?|par|avec|à|prends|utilise|mets|colle|a|con|por|pra|usa|pon|poner|coloca|com|para|põe|metti|inserisci|на|в|используй|возьми|поставь|вставь|впиши|wstaw|użyj|ustaw|gebruik|zet|moet|naar|değerini)["'`«“„]? ?$|[用为為成填入將将把をにはで로을를은는]["'`「]? ?$/iu;
/** `I changed the password of the panel to`, `when prompted for the password, type` */
const changedTo =
  /\b(?:typ(?:e|ing)|enter(?:ing)?|tapez?|tippe|escrib[ea]|digit[aei]|wpisz|введи(?:те)?)[ \t]["'`«“„]?$|(?:chang|reset|rotat|updat|\bset\b|änder|gesetzt|změn|nastav|zmieni|ustaw|cambi|mud[aeo]|alter|modifi|wijzig|ändra|измен|смен|помен|değiş)[^\n.]{0,80}[ \t](?:to|auf|na|a|à|en|para|naar|till|на)[ \t]["'`«“„]?$/iu;
/** `MAIL_PASSWORD to` */
const settings = /^\w*_\w+ (?:auf|to|à|en|na|на) $/;
/** A refusal, or a word for replacing: the new value comes without a verb. */
const replaces =
  /^[\s>*-]{0,4}(?:(?:nope|not?|wrong|nein|falsch|non|não|nao|нет|ні|không|לא|hayır|nie|nee|nej)(?![\p{L}\d])|不|违|違|いいえ|아니)|\b(?:replace|swap|change|ersetze|tausche|remplace|cambia|sustituye|sostituisci|troca|troque|substitu[ai]|zamień|değiştir|vervang)(?![\p{L}])|замени|поменяй|换成|替换|換え|바꿔|바꾸/iu;
/** `Marbles132`, `Marble_lantern132`: only a verb makes them a password. */
const capitalNumber = /^[A-Z][a-z]{4,}\d{3,}$/;
const numberedWord = /^(?![\da-f]+$|[a-z]+[-_]20[0-3]\d$)(?=.*[a-z]{3})(?=.*\d\d)[\w!-]{8,40}$/;

/** `isLed`: a verb or sign stands between it and the words. */
function isGenerated(value: string, noun: SaidNoun, isLed: boolean): boolean {
  if (looksLikePath(value) || address.test(value) || fingerprint.test(value) || isTypeName(value))
    return false;
  const [hasDigit, hasLower, hasUpper] = [/\d/.test(value), /[a-z]/.test(value), /[A-Z]/.test(value)];
  if (/^[\da-f]{32,128}$/i.test(value)) return hasDigit && (hasLower || hasUpper);
  if (uuid.test(value)) return noun !== 'password';
  if (/^[\w+/.-]{20,160}={0,2}$/.test(value))
    return hasDigit && hasLower && (hasUpper || isBase32.test(value)) && looksRandom(value);
  return noun !== 'token' && hasDigit && (hasLower || hasUpper) && isPersonal(value, noun, isLed);
}

/** What a person makes: words with signs, or what a verb leads to. */
function isPersonal(value: string, noun: SaidNoun, isLed: boolean): boolean {
  if (value.length > 64 || shortcut.test(value) || ofCode.test(value)) return false;
  if (/\w[!@#$%^&*+=?~]+-?\w|\w[!#$%&*?~]+$/.test(value)) return true;
  if (!isLed) return false;
  if (noun !== 'password') return capitalNumber.test(value);
  return numberedWord.test(value) || (mixedCase.test(value) && looksRandom(value));
}

const mixedCase = /^(?=.*[a-z])(?=.*[A-Z])[\w!?.-]+$/;
const ofCode =
  /[()[\]{};]|^\w+=|^[a-z]+#[a-z-]+\d*$|^(?:bcrypt|argon|scrypt|pbkdf)|^[\w-]+@(?:v\d[\d.]*|\w+(?:\.\w+)+)$/;

const verbsButTo = 'is|ist|lautet|est|es|è|é|er|är|jest|brzmi|это|就是|[은는이가건はがも是为]|って|という';
/** Polish `to` is a verb. */
const verbs = `${verbsButTo}|to`;
const signs = '—|:|：|\\?|？|=';
const is = `(?:${verbs}|${signs})`;
const adverb = '(?: (?:toujours|proprio|sempre|still|noch|immer|jetzt|now|todavía|ainda|actually|simply))?';
const leads = new RegExp(
  `(?:(?:^|[\\s'’]|[^\\x00-\\x7f])(?:${verbs})|\\b(?:it|that)['’]s|[—:：?？=])${adverb}["'\`«“„「]? ?$`,
  'iu',
);
const pointing =
  "that['’]?s|that is|this is|das ist|esa es|eso es|essa é|quella è|questa è|c['’]est|это|benim|これが|这是|這是|이게";
const follows = new RegExp(
  `^!?["'\`»”」]? ?(?:[,;←—–-]{0,2} ?(?:${pointing})|${verbs})(?:\\s|$|[^\\x00-\\x7f]|(?<=[はが])\\w)`,
  'iu',
);
/** English `pin ... to` is another verb. */
const isPin = `(?:${verbsButTo}|['’]s|${signs})`;
const pinDigits = '(\\d{4,8})(?![\\da-z:/-]|\\.\\d|\\s*(?:digits|chars|%))';
const article = '(?: (?:el|il|le|la|o|the|den|das))?';
const pinAfter = new RegExp(
  `^[\\p{L}\\s]{0,40}?${isPin}(?: ?${isPin})?${article} ?["'\`]?${pinDigits}`,
  'iu',
);
/** `code PIN 709816`, `PIN設成6697`: behind a noun that only a person has. */
const pinBeside = new RegExp(`^(?:[ \\p{L}]{0,36}[ \\p{L}])?${pinDigits}`, 'iu');
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

/**
 * `the passphrase of the backup is correct horse battery staple`: four words or more, quoted, or to the end of a clause and none of them
 * one of grammar.
 */
export function phraseAfter(text: string, end: number): Range | undefined {
  const ahead = text.slice(end, end + windowChars);
  const quoted = quotedPhrase.exec(ahead);
  const [whole, said] = quoted ?? phrase.exec(ahead) ?? joined.exec(ahead) ?? [];
  if (whole === undefined || said === undefined || nouns.test(said)) return undefined;
  // Some words of a wallet are those of grammar.
  const allowed = wallet.test(said) ? said.length / 20 : 0;
  if (quoted === null && (said.match(grammar)?.length ?? 0) > allowed) return undefined;
  const at = end + whole.lastIndexOf(said);
  return { start: at, end: at + said.length };
}
const letter = '[\\p{Script=Latin}\\p{Script=Cyrillic}\\p{Script=Greek}\\p{Script=Hangul}\\d]';
const wordsOf = (charsMin: number): string =>
  `((?:${letter}{${charsMin},12}[ -]){3,23}${letter}{${Math.min(charsMin, 2)},12})`;
const quotedPhrase = new RegExp(`^[^\\n.,;?!]{0,60}?["'\`«“„「] ?${wordsOf(1)} ?["'\`»“”」]`, 'iu');
const phrase = new RegExp(
  `^[^\\n.,;:?!]{0,60}?(?<=[\\s\\p{L}]|^)${is} ?${wordsOf(3)}(?=[.,;!) ]{0,3}(?:$|\\n|[.,;!]|[-–—] |[^\\x00-\\u024f]))`,
  'iu',
);
/** `peach-kettle-onyx-saddle-03` */
const joined = /^[^\n]{0,60}?[\s:"'`«“„]((?:\p{L}{3,12}-){3,7}[\p{L}\d]{2,12})(?![\w./-])/u;
const wallet = /^(?:(?:[a-z]{3,8} ){3}){3,7}(?:[a-z]{3,8} ){2}[a-z]{3,8}$/;
const nouns = /pass|phrase|fra[sz]|wort|key|schl/i;
const grammar =
  /(?<!\p{L})(?:the|and|for|not|too|has|was|are|you|your|from|with|this|that|than|when|only|never|always|stored|used|set|asked|now|der|die|das|und|ist|nicht|sehr|zum|zur|wird|wurde|les|des|est|pas|une|pour|dans|trop|que|para|muy|una|los|las|por|con|che|per|non|del|della|nel|uma|não|muito|het|een|niet|van|voor|nie|jest|dla|immer|noch|wie|dieselbe|same|gestern|random|words?|characters|letters|wörter|mots|palabras|parole|слов|przez|для|это|что|как|уже|слишком)(?!\p{L})|(?:ed|ing|ly)(?!\p{L})/giu;

/** `admin / Walrus_2057`, on either side of a word for logging in. */
export function pairNear(text: string, start: number, end: number): Range | undefined {
  const { from, line } = lineAround(text, start, end);
  for (const found of line.matchAll(paired)) {
    const [value] = found;
    const at = from + found.index;
    if (isGenerated(value, 'password', true) && !isPlaceholder(value))
      return { start: at, end: at + value.length };
  }
  return undefined;
}
const paired =
  /(?<=(?:^|[\s"'`(])[\w.@-]{2,40} ?[/:] ?|[ \t]as [\w.@-]{2,40} \()(?!\d+[-:./])(?!\/)[!-~]{6,64}?(?=[.,;:?"'`)]*(?:\s(?!\/ )|$|[^\x00-\x7f]))/g;
