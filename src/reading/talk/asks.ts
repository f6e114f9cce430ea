import { clip, oneLine, sentencesOf } from '#reading/text';
import { onlyAnswers } from './only-answers.ts';
import { spokenIn } from './spoken.ts';
import { type Unit, unitsOf } from './units.ts';

const asksCharsMax = 180;
const readCharsMax = 6_000;
const wordsMin = 4;
/** A shorter sentence says little without the one before it. */
const aloneWordsMin = 7;
const leadCharsMin = 12;
const refersBack = /^(?:what|why|how)\b|\b(?:this|that|it|these|those)\b/i;
/** `change it`, `prevent this`: what it is stands before. */
const object =
  /^[^,]*\b(?:change|fix|prevent|handle|toggle|solve|avoid|improve|debug|resolve|explain) (?:it|this|that)\b(?= (?:so|to|for|in|with|please)\b|[?.!,]|$)/i;
/** `That's`, `Is it`. */
const beginChars = 7;
const nearMax = 3;

/** What a user's message asks for, in one line: a short one whole, else the first sentence that asks, else the first. Empty when it only answers, and for a pasted output. */
export function asksIn(message: string): string {
  const plan = /^\s*Implement the following plan:\s*#*\s*(?:Plan\s*[:\u2013\u2014-]\s*)?([^\n]+)/i.exec(
    message,
  )?.[1];
  if (plan !== undefined) return clip(`Plan: ${plan.trim()}`, asksCharsMax);
  const spoken = spokenIn(message).slice(0, readCharsMax);
  const said = spoken.replace(/^\s*\/[\w:.-]+ /, '').replace(quotedBehind, '\u2026');
  if (onlyAnswers(said) || agrees.test(said) || (/^\s*[,;)]/.test(said) && wordsIn(said) < fragmentWords))
    return '';
  if (isOutput(said)) return clip(complaintOf(said), asksCharsMax);
  const units = unitsOf(said).filter(
    ({ kind, text }) => kind !== 'pasted' && kind !== 'row' && !output.test(text),
  );
  const all = units.map(({ text }) => text).join(' ');
  // The name of a slash command is its verb.
  if (wordsIn(all) < wordsMin && !isShortRequest(all) && !fails.test(all))
    return said === spoken ? '' : oneLine(spoken, asksCharsMax);
  return all.length <= asksCharsMax ? all : clip(pointIn(units), asksCharsMax);
}

/** What stands behind a colon is the row of a table, or a prompt in a terminal. */
const quotedBehind = /:(?: > .*| {2,}\S+(?: \S+)* {2,}\S+(?: \S+)* {2,}.*)$/gm;

/** Of a long message the sentence that asks, with what it refers to. */
function pointIn(units: readonly Unit[]): string {
  const long = units.filter(({ text }) => wordsIn(text) >= wordsMin);
  const spoken = long.filter(({ kind, text }) => kind !== 'heading' && !greets.test(text) && !isRemark(text));
  // Far below, a sentence without a question is mostly part of what was pasted.
  const asking = (text: string): boolean => asks.test(text) && !assuring.test(text) && !endsQuote(text);
  const chosen =
    spoken.slice(0, nearMax).find(({ text }) => asking(text) || (commands.test(text) && !endsQuote(text))) ??
    spoken.find(({ text }) => asking(text)) ??
    spoken[0] ??
    long[0] ??
    units[0];
  if (chosen === undefined) return '';
  const before = units[units.indexOf(chosen) - 1];
  const after = units.slice(units.indexOf(chosen) + 1).find(({ text }) => !text.endsWith(':'));
  // `Can you fix: 1.` belongs to what follows, `What has to change?` to what stands before it.
  const isLead =
    before !== undefined &&
    before.kind !== 'heading' &&
    (!long.includes(before) ||
      (before.text.endsWith(':') && refersBack.test(chosen.text)) ||
      noSubject.test(chosen.text) ||
      (refersBack.test(chosen.text.slice(0, beginChars)) && chosen.text.endsWith('?')) ||
      (before.kind === 'sentence' && object.test(chosen.text)) ||
      (wordsIn(chosen.text) < aloneWordsMin && refersBack.test(chosen.text)));
  const room = asksCharsMax - chosen.text.length - 1;
  const lead = isLead && room >= leadCharsMin ? `${clip(before.text, room)} ` : '';
  const rest = chosen.text.endsWith(':') && after !== undefined && isSaid(after.text) ? ` ${after.text}` : '';
  const line = `${lead}${chosen.text}${rest}`;
  // A wish often comes before what is to be done for it.
  const isWish = !asking(chosen.text) && !orders.test(chosen.text);
  const more = spoken
    .slice(spoken.indexOf(chosen) + 1)
    .find(({ text }, at) => asking(text) || (at < nearMax && orders.test(text)));
  const next = isVague(chosen) ? spoken[spoken.indexOf(chosen) + 1] : undefined;
  if (next !== undefined) return `${line} ${next.text}`;
  const whole = isWish && more !== undefined ? `${line} ${more.text}` : line;
  return whole.length <= asksCharsMax ? whole : clauseOf(line);
}

/** `Let's think this through`: what, says the next sentence. */
function isVague({ text }: Unit): boolean {
  return wordsIn(text) <= aloneWordsMin && vague.test(text);
}

const vague =
  /^(?:ok(?:ay)?[, ]+|so |then |now )*(?:let['’]?s \w+|(?:maybe|perhaps|i think|i guess)\b.*?) (?:this|that|it)\b(?! \w+ing\b)/i;

/** Of a sentence that is too long its beginning and the clause that asks. */
function clauseOf(text: string): string {
  const at = text.search(askingClause);
  const clause = text.slice(Math.max(0, at));
  const room = asksCharsMax - clause.length - 1;
  if (at < 0 || text.length <= asksCharsMax || at < asksCharsMax / 2) return text;
  return room < leadCharsMin * 2 ? `\u2026 ${clause}` : `${clip(text.slice(0, at), room)} ${clause}`;
}

const askingClause =
  /(?<=[,;:.\u2013\u2014-] )(?:(?:so|and|but|then) )*(?:(?:can|could|would) (?:you|we)|please|let'?s|(?:i|we) want|how|why|what)\b/i;

/** Lines that a program printed, without a word of the user. */
function isOutput(said: string): boolean {
  const lines = linesIn(said);
  // Of a terminal the user's own words are the paragraph below.
  const isTerminal = /^[❯➜$] \S/u.test(lines[0] ?? '');
  const own = isTerminal ? linesIn(said.split(/\n\n/).slice(1).at(-1) ?? '') : lines;
  const least = isTerminal && own.length === 0 ? 1 : 2;
  const faulty = lines.filter((line) => printed.test(line) || complains.test(line));
  return faulty.length >= least && !own.some(isTyped);
}

function isTyped(line: string): boolean {
  return (asks.test(line) || commands.test(line) || addresses.test(line)) && !printed.test(line);
}

/** The first line that says what went wrong; empty without one. */
function complaintOf(output: string): string {
  return linesIn(output).find((line) => complains.test(line)) ?? '';
}

function linesIn(text: string): string[] {
  return text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '');
}

const printed =
  /^(?:remote|fatal|error|warning|panic|traceback|npm (?:ERR!|error)|\w+(?:Error|Exception))\b ?[:!(]|^at \S+ ?\(|^(?:From|To) \S+[:/]\S+$|^commit [0-9a-f]{7,40}\b|^(?:Fetching|Cloning|Downloading|Download action) |^\S+\.\w{1,5}:\d+:\d+: |\b\d\d:\d\d:\d\d(?: [A-Z]{2,5})? \d{4}$/i;
const addresses = /\b(?:i|i['’]\w+|you|we|me|my|us|our|here)\b/i;
const complains =
  /\b(?:error|fatal|denied|fail(?:ed|ure)|exception|cannot|could not|no \w+ found|no (?:\w+ ){1,3}found|not found)\b/i;

/** The last line of what somebody quotes. */
function endsQuote(text: string): boolean {
  return /"[.)]?$/.test(text) && text.split('"').length % 2 === 0;
}

/** A path, or some words. */
function isSaid(text: string): boolean {
  return wordsIn(text) >= wordsMin || /^[~.]?\//.test(text);
}

/** Whether a sentence asks or commands, whatever agreement it begins with. */
export function asksFor(message: string): boolean {
  return unitsOf(message.slice(0, readCharsMax)).some(({ text }) => asks.test(text) || commands.test(text));
}

/** Whether a user's message, or a sentence, only remarks how things stand: praise, agreement, what he will look at himself. It asks for nothing, also not by naming a fault. */
export function isRemark(message: string): boolean {
  const text = message.trim();
  if (text === '' || text.length > remarkCharsMax || faults.test(text)) return false;
  if (informs.test(text)) return !asksFor(text);
  const [first = '', ...rest] = sentencesOf(text);
  if (agreesOnly.test(first)) return !asksFor(text) && rest.every((sentence) => states.test(sentence));
  return !wishes.test(text) && [first, ...rest].every((sentence) => remarks.test(sentence));
}

/** Whether a message, in words that can be judged, states something and neither asks nor names a fault. */
export function onlyStates(message: string): boolean {
  const text = message.trim();
  if (text.length > remarkCharsMax || asksFor(text)) return false;
  if (!english.test(text) && !worksNow.test(text)) return false;
  const isStatement = (sentence: string): boolean =>
    worksNow.test(sentence) || states.test(sentence.replace(interjections, ''));
  const rest = text.replace(worksNow, '');
  return (
    !faults.test(rest) &&
    !wishes.test(rest) &&
    !/\bneeds?\b/i.test(rest) &&
    sentencesOf(text).every(isStatement)
  );
}

const english = /\b(?:the|this|that|it['’]?s|i['’]?(?:m|ve)|we|just|did|was)\b/i;
const interjections = /^(?:\(|(?:oh|ooh|uh oh|ah|aha|hmm|well|yeah|fyi|btw|sorry)\b[,!. \u2013-]*)+/i;
const worksNow =
  /(?:^|[,;] )(?:(?:ok(?:ay)?|oh|great|good|nice|cool|perfect|yes|yeah|and|so|now)[,!. ]*){0,3}(?:it|that|this|everything)(?:['’]s| is)? (?:now )?work(?:s|ing)(?: (?:now|again|fine|well|great|perfectly|as expected))?[.! ]*$/i;

const remarkCharsMax = 300;
const praise =
  '(?:great|good|nice|cool|fine|perfect|awesome|excellent|amazing|exciting|impressive|beautiful|better)';
const before = '(?:(?:ok(?:ay)?|oh|man|wow|yes|yup|well|and)[,.! ]+)*';
const remarks = new RegExp(
  [
    `^${before}(?:${praise}|wow|thanks?(?: you)?)(?: (?:job|work|stuff|one|idea))?[.!,]*$`,
    `^${before}(?:this|that|it)(?:'s| is| was) (?:an? |so |really |very |such an? )*${praise}\\b`,
    `^(?:so far[, ]+)?(?:[\\w']+ ){0,5}looks? (?:really |very |pretty |so )*${praise}\\b`,
    `^(?:ok(?:ay)?[,. ]+)?i(?:'ll| will) (?:see|look|wait|test|try|check|watch|let you know)\\b`,
  ].join('|'),
  'i',
);
const informs =
  /^(?:(?:more|some|additional|further|for) )?(?:context|background|fyi|for your information)[:,]/i;
/** Says with its first words that it goes on with what was said. */
const agreesOnly = new RegExp(
  `^${before}(?:exactly|sorry|there (?:it is|(?:we|you) (?:go|are))|(?:i(?:'m| am)|we(?:'re| are)) (?:still )?(?:here|back|done|happy)|you(?:'re| are) (?:\\w+ )?(?:right|correct)|that(?:'s| is) (?:it|right|fair))\\b`,
  'i',
);
/** Not a command, whatever its verb is. */
const states = /^(?:i|we|you|they|it|this|that|these|there|the|an?|our|my|your|as|and|so|in|at|for|when)\b/i;
const faults =
  /\?|\b(?:but|however|though|except|instead|wrong|broken|missing|errors?|fail\w*|bugs?|problems?|issues?|\w+n['’]t)\b/i;
const wishes =
  /\b(?:please|still|now|next|also|then|needs? to|must|let['’]?s|(?:i|we) want|add|fix|remove|make|change|use|update|(?:can|could|would) (?:you|we|be))\b/i;

/** `Remove the svgs`: fewer words than a request has, but a command and what it is for. */
export function isShortRequest(message: string): boolean {
  const words = message.split(/\s+/).filter((word) => /\p{L}/u.test(word) && !filler.test(word));
  return words.length >= 2 && commands.test(message.trim()) && !chores.test(message.trim());
}

const filler =
  /^(?:it|this|that|them|these|those|again|now|please|too|all|so|the|an?|ok(?:ay)?|yes|and|then)[.,!]*$/i;
/** What ends any work, and goes on with it. */
const chores =
  /^(?:(?:ok(?:ay)?|yes|now|then|please)[,.! ]+)*(?:commit|push|merge|try|let'?s (?:go|do|try|start|continue))\b/i;
/** `Does that make sense?` asks for nothing. */
const assuring =
  /^(?:does (?:that|this|it) (?:make sense|work)|(?:make sense|right|ok(?:ay)?|sounds? good|agreed))\b.{0,20}\?$/i;
/** Says nothing without the sentence before it. */
const noSubject =
  /^(?:(?:it|this|that|they|these|those|the) )?(?:should|must|needs? to|has to|have to)\b(?! (?:we|you|i|it|this|that|the)\b)/i;

/** Words with a letter; in a script without spaces two signs count as one. */
export function wordsIn(text: string): number {
  const dense =
    text.match(/[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]/gu)?.length ?? 0;
  return text.split(/\s+/).filter((word) => /\p{L}/u.test(word)).length + Math.floor(dense / 2);
}

/** `, exit that and run` is the end of something said before. */
const fragmentWords = 7;
/** `tests are failing` */
const fails = /^(?:the )?\w+ (?:is|are|still) (?:fail(?:ing|s)?|broken|red)[.!]*$/i;
const greets = /^(?:hi|hello|hey|welcome|good (?:morning|afternoon|evening))\b/i;
const output =
  /^(?:fatal|error|warning|panic|traceback|exception)\b ?[:!(]|^(?:\/\/|\/\*|#!)|^unknown (?:command|flag|option) |^commit [0-9a-f]{7,40}\b|^(?:Author|Date): /i;
/** Agreement to what was offered: `yes, let's add this`. */
const agrees =
  /^(?:(?:yes|yeah|yep|ok(?:ay)?|sure|great|perfect|cool|right|good)[,.! ]+)+(?:(?:let'?s|please|can you|you can) )*(?:add|do|fix|implement|make|apply|use|try|change|update|run|create|keep|remove|go with)? ?(?:it|this|that|them|so|both|all)?(?: (?:too|then|now|please))?[.! ]*$/i;
const asks =
  /\?["')]?(?:\s|$)|^(?:what|how|why|where|when|which|who) (?:happens|does|do|is|are|can|should|would|will)\b|\b(?:can|could|would) (?:you|we)\b|\bplease\b/i;
const orders =
  /^(?:(?:ok(?:ay)?|great|yes|yeah|no|now|then|and|also|so|well|please|first)[,.! ]+)*(?:(?:in|on|for|to|inside|under|at|from|with|when|after|before|if) [^,?!]{2,80}, |[a-z][\w' ]{2,40}: )?(?:let'?s|let me|never|always|process|work|go through|prepare|design|draft|analy[sz]e|configure|enable|disable|allow|support|handle|integrate|migrate|optimi[sz]e|improve|apply|align|adjust|clean|increase|reduce|combine|group|sort|hide|display|close|resolve|address|complete|finish|help|give|tell|provide|polish|put|ignore|keep|limit|include|exclude|wrap|format|switch|swap|undo|avoid|prefer|build|release|publish|delete|install|deploy|bump|refactor|rewrite|simplify|restore|debug|open|send|start|verify|list|summari[sz]e|convert|extract|restart|upgrade|rerun|download|push|fix|add|remove|make|change|update|create|implement|investigate|check|show|do|use|move|rename|write|run|explain|find|replace|ensure|set|log|document|test|review|look|generate|commit|revert|compare(?! (?:it |this )?(?:with|to))|read|merge|split|inline|reuse|expose|describe|mention|try|don'?t|stop)\b/i;
const commands = new RegExp(
  `${orders.source}|\\b(?:needs? to|should|must|i want|we want|i(?:'d| would) (?:like|rather|prefer))\\b`,
  'i',
);
