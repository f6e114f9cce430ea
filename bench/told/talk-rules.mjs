// Candidate rules about what users said: prompts that name what memory knows, files with a decision, corrections.
import { fixOf, isTrouble } from './rules.mjs';

const fileName =
  /(?:[\w@.-]+\/)*[\w@-][\w@.-]*\.(?:tsx?|[mc]?jsx?|go|py|rs|md|json|ya?ml|toml|css|html|sh|cs|svg|sql|razor|csproj)\b/g;
const filesIn = (text) => [...new Set(text.match(fileName) ?? [])].map((name) => name.replace(/^[@./]+/, ''));
const baseOf = (file) => file.replace(/^.*[/\\]/, '');
const isFile = (file, name) => file === name || file.endsWith(`/${name}`);
const identifier =
  /`[^`\n]{3,60}`|\b[a-z]+[A-Z]\w+\b|\b[A-Z][a-z]+[A-Z]\w+\b|\b[a-z]\w*_\w+\b|(?<=\s)--[a-z][\w-]{2,}/g;
const identifiersIn = (text) => [
  ...new Set((text.match(identifier) ?? []).map((one) => one.replaceAll('`', ''))),
];
const wordsIn = (text) => new Set(text.toLowerCase().match(/[a-z][\w.-]{3,}/g) ?? []);
const typedCharsMax = 1_500;

/** Words that may correct an assistant or state a rule. */
export const correction =
  /^(?:no|nope|wrong|stop)\b[ ,.!:-]|\b(?:don'?t|do not|never|stop)\s+(?:use|add|do|run|commit|push|create|write|put|make|change|touch|remove|delete|edit|include|mention|skip|need|want|call|import|mock|ever|try)\b|\b(?:always|from now on|in (?:the )?future|next time)\b|\binstead of\b|\bi (?:said|told you|asked)\b|\brather than\b|\byou (?:should(?:n't| not)|must(?:n't| not)?|forgot)\b|\bwe (?:don'?t|never|always)\b|\bnot what i\b|\brevert\b|\bundo\b/i;

/** Rule: a prompt holds an error that an earlier session's command ended with. */
export function* promptFailure(records, what = 'prompt') {
  const failures = [];
  for (const [at, record] of records.entries()) {
    if (isTrouble(record)) failures.push({ from: record, position: at });
    if (record.what !== what || record.text.startsWith('Implement the following plan')) continue;
    const lines = record.text
      .split('\n')
      .map((line) => line.trim().replace(/\d+/g, ''))
      .filter((line) => line.length > 12 && /error|fail|cannot|not found|exception|panic/i.test(line));
    for (const { from, position } of failures.toReversed()) {
      if (from.session === record.session) continue;
      const [{ kind, shown }] = from.complaints;
      const plain = kind.replaceAll('#', '').slice(0, 60).trim();
      const said = lines.find(
        (line) =>
          (plain.length >= 15 && line.includes(plain)) ||
          (line.length > 25 && shown.replace(/\d+/g, '').includes(line)),
      );
      if (said === undefined) continue;
      yield { record, at, from, fix: fixOf(records, position, record.ts), said };
      break;
    }
  }
}

/** Rule: a prompt names a file that an earlier session changed. */
export function* promptFile(records, what = 'prompt') {
  const edits = new Map();
  for (const [at, record] of records.entries()) {
    if (record.what === 'edit' && !record.failed)
      for (const file of record.files)
        edits.set(baseOf(file), [...(edits.get(baseOf(file)) ?? []), { record, file }]);
    if (record.what !== what || record.text.length > (what === 'spawn' ? 8_000 : typedCharsMax)) continue;
    for (const name of filesIn(record.text)) {
      const known = (edits.get(baseOf(name)) ?? []).filter(
        (edit) => edit.record.session !== record.session && isFile(edit.file, name),
      );
      if (known.length > 0)
        yield { record, at, from: known.at(-1).record, name: baseOf(name), times: known.length };
    }
  }
}

/** Rule: a prompt names what a decision of the user names. */
export function* promptDecision(records, what = 'prompt') {
  const decisions = [];
  for (const [at, record] of records.entries()) {
    if (record.what !== what && record.what !== 'prompt') continue;
    const named = new Set([...identifiersIn(record.text), ...filesIn(record.text)]);
    const words = wordsIn(record.text);
    for (const one of record.what === what ? decisions.toReversed() : []) {
      if (one.from.session === record.session) continue;
      const names = one.names.filter((name) => named.has(name));
      const shared = one.words.filter((word) => words.has(word));
      if (names.length === 0 && shared.length < 5) continue;
      yield { record, at, from: one.from, said: one.said, names, shared };
      break;
    }
    for (const said of record.decisions)
      decisions.push({
        from: record,
        said,
        names: [...identifiersIn(said), ...filesIn(said)],
        words: [...wordsIn(said)],
      });
  }
}

/** Rule: nearly the same prompt in an earlier session. */
export function* promptAgain(records, what = 'prompt') {
  const prompts = [];
  for (const [at, record] of records.entries()) {
    if (record.what !== what) continue;
    const words = wordsIn(record.text);
    if (words.size >= 4)
      for (const from of prompts.toReversed()) {
        if (from.session === record.session) continue;
        const others = wordsIn(from.text);
        const both = [...words].filter((word) => others.has(word)).length;
        if (both / (words.size + others.size - both) < 0.6) continue;
        yield { record, at, from };
        break;
      }
    prompts.push(record);
  }
}

/** Rule: the first edit of a file that an earlier decision or correction of the user names. */
export function* editDecision(records) {
  const decisions = [];
  const edited = new Set();
  for (const [at, record] of records.entries()) {
    if (record.what === 'prompt' && record.text.length < typedCharsMax)
      for (const said of record.text.split(/(?<=[.!?])\s+|\n+/)) {
        const names = filesIn(said);
        const isChoice =
          correction.test(said) || rule.test(said) || record.decisions.some((one) => said.includes(one));
        if (said.length < 300 && names.length > 0 && isChoice) decisions.push({ from: record, said, names });
      }
    if (record.what !== 'edit' || record.failed) continue;
    for (const file of record.files) {
      const key = `${record.session} ${file}`;
      if (edited.has(key)) continue;
      edited.add(key);
      const found = decisions.findLast(
        ({ from, names }) => from.session !== record.session && names.some((name) => isFile(file, name)),
      );
      if (found !== undefined) yield { record, at, ...found, name: file };
    }
  }
}

const rule = /\b(?:should|must|keep|let'?s|prefer|only|avoid)\b/i;

/** Rule: what a user corrected or refused, in words, as a candidate for a rule. */
export function* corrections(records) {
  for (const [at, record] of records.entries()) {
    if (record.refused && /(?:user|reason|said|feedback)/i.test(record.output))
      yield { record, at, said: record.output };
    if (record.what === 'prompt' && record.text.length < typedCharsMax && correction.test(record.text))
      yield { record, at, said: record.text };
  }
}

/** Words of a rule that outlasts the task of the day. */
const standing =
  /\b(?:always|never|from now on|in (?:the )?future|(?:every|each|next) time|we (?:don'?t|never|always|use|prefer)|don'?t ever|(?:this|the|our) (?:project|repo|codebase|team|convention|style) (?:uses?|wants?|is)|as a rule)\b/i;

/** Rule: of those, the sentences with words of a standing rule. */
export function* standingRules(records) {
  for (const { record, at, said } of corrections(records))
    for (const sentence of said.split(/(?<=[.!?])\s+|\n+/))
      if (standing.test(sentence) && sentence.length < 300) yield { record, at, said: sentence };
}
