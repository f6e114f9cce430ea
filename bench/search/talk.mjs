// What was said, found: recorded sessions of two repositories come into memories by backfill, and questions whose answer is in the
// talk are asked through the socket. `questions.jsonl` has quotes of each answer; a document answers when it has four fifths of the
// words of a quote of its session.
import fs from 'node:fs';
import { gunzipSync } from 'node:zlib';
import { RawIndex } from './baselines.mjs';
import { interval, paired } from './bootstrap.mjs';
import { talkColumns as shares } from './report.mjs';

const depth = 200;
const talkOnly = 'BM25, messages';
const everything = 'BM25, messages + calls';
const product = 'memd';

/** One result for each question; null without the data. @param open opens a memory filled from a folder of transcripts */
export async function measureTalk(data, open) {
  const file = `${data}/talk/questions.jsonl`;
  if (!fs.existsSync(file)) return null;
  const questions = readLines(fs.readFileSync(file, 'utf8'));
  const results = [];
  for (const repo of new Set(questions.map((question) => question.repo))) {
    const folder = `${data}/transcripts/${repo}`;
    const { messages, calls } = documentsOf(folder);
    const references = { [talkOnly]: indexOf(messages), [everything]: indexOf([...messages, ...calls]) };
    const memory = await open(folder);
    try {
      console.log(`${repo}: ${memory.counts.events} events, ${memory.counts.summaries} summaries`);
      for (const question of questions.filter((one) => one.repo === repo))
        results.push({ question, ...(await answersOf(question, references, memory)) });
    } finally {
      memory.close();
    }
  }
  return results;
}

async function answersOf(question, references, memory) {
  const { query, asOf } = question;
  const found = Object.entries(references).map(([name, search]) => [name, search(query)]);
  const started = performance.now();
  const { hits, fits = true } = await memory.search({ query, topK: depth, asOf });
  const ms = performance.now() - started;
  const texts = await memory.textsOf(hits.slice(0, 10));
  const documents = hits.map(({ id, sessionId, kind }) => ({
    session: sessionId,
    kind,
    text: texts.get(id) ?? '',
  }));
  const systems = Object.fromEntries(
    [...found, [product, documents]].map(([name, order]) => [name, figuresOf(question, order)]),
  );
  return { systems, ms, fits: fits && hits.length > 0, shown: shownOf(question, hits.slice(0, 5)) };
}

/** Whether what the first and the first five hits show answers, and how long it is on average. */
function shownOf({ evidence }, hits) {
  const texts = hits.map(({ sessionId: session, text, passage }) => ({ session, text: passage ?? text }));
  const answers = texts.map((one) => evidence?.some((quote) => isAnswer(quote, one)) ?? false);
  const chars = texts.reduce((sum, { text }) => sum + text.length, 0) / Math.max(1, texts.length);
  return { first: Number(answers[0] === true), five: Number(answers.includes(true)), chars };
}

/** The four figures, 0 or 1 each, and how many documents came and of which kinds the first ten are. */
function figuresOf({ sessions, evidence }, order) {
  const different = [...new Set(order.map(({ session }) => session))];
  const answers = order.slice(0, 10).map((document) => evidence?.some((one) => isAnswer(one, document)));
  const hasSession = (among) => Number(among.some((session) => sessions?.includes(session)));
  return {
    session1: hasSession(different.slice(0, 1)),
    session5: hasSession(different.slice(0, 5)),
    answer5: Number(answers.slice(0, 5).includes(true)),
    answer10: Number(answers.includes(true)),
    documents: order.length,
    kinds: order.slice(0, 10).map(({ kind }) => kind),
  };
}

function isAnswer({ session, quote }, document) {
  if (session !== document.session) return false;
  document.words ??= new Set(words(document.text));
  const asked = [...new Set(words(quote))].filter((word) => !common.has(word));
  return asked.length > 0 && asked.filter((word) => document.words.has(word)).length >= 0.8 * asked.length;
}

function words(text) {
  const parted = text.replace(/([a-z0-9])([A-Z])/g, '$1 $2').replace(/([A-Z]+)([A-Z][a-z])/g, '$1 $2');
  return parted.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];
}

/** A table of each kind of question, then the differences with their intervals. */
export function reportTalk(results) {
  const answerable = results.filter(({ question }) => question.kind !== 'none');
  const groups = new Map([['all', answerable]]);
  for (const one of answerable) {
    for (const name of [one.question.kind, ...(one.question.flags ?? []), one.question.repo])
      groups.set(name, [...(groups.get(name) ?? []), one]);
  }
  console.log('\n== talk');
  console.log(
    `${''.padEnd(46)}${Object.values(shares)
      .map((name) => name.padStart(11))
      .join('')}`,
  );
  for (const [name, some] of groups) {
    for (const system of [talkOnly, everything, product]) {
      const cells = Object.keys(shares).map((share) => mean(some, system, share).toFixed(3).padStart(11));
      console.log(`${`${name} (${some.length})`.padEnd(22)}${system.padEnd(24)}${cells.join('')}`);
    }
  }
  for (const reference of [talkOnly, everything]) {
    const [ours, theirs] = [product, reference].map((name) => answerable.map(({ systems }) => systems[name]));
    const cells = Object.entries(shares).map(
      ([share, name]) => `${name} ${spread(interval(paired(ours, theirs, share)))}`,
    );
    console.log(`${product} - ${reference}: ${cells.join('  ')}`);
  }
  const shown = (name) => answerable.reduce((sum, one) => sum + one.shown[name], 0) / answerable.length;
  console.log(
    `shown: the answer is in the text of hit 1 ${shown('first').toFixed(3)}, of the first five ${shown('five').toFixed(3)}; ${Math.round(shown('chars'))} characters a hit`,
  );
  const none = results.filter(({ question }) => question.kind === 'none');
  const unfit = (some) => some.filter(({ fits }) => !fits).length;
  const lost = answerable.filter(({ systems }) => systems[product].answer5 === 1);
  console.log(
    `nothing fits: ${unfit(none)} of ${none.length} questions without an answer, ${unfit(lost)} of ${lost.length} answered in five`,
  );
}

/** The answerable ones in the form of the other sets, for `--json` and `--against`. */
export function talkRows(results) {
  return results
    .filter(({ question }) => question.kind !== 'none')
    .map(({ question: { repo, qid, kind }, systems, ms }) => ({
      ...{ set: 'talk', workspace: repo, query: { qid, kind }, ms },
      figures: systems,
    }));
}

function mean(some, system, share) {
  return some.reduce((sum, { systems }) => sum + systems[system][share], 0) / some.length;
}

function spread({ mean: middle, low, high }) {
  return `${[middle, low, high].map((value) => (value < 0 ? '' : '+') + value.toFixed(3)).join(' ')}`;
}

/** Messages and calls of transcripts as plain documents. */
function documentsOf(folder) {
  const [messages, calls, outputs] = [new Map(), new Map(), new Map()];
  for (const file of fs.readdirSync(folder).toSorted()) {
    if (!file.endsWith('.jsonl.gz')) continue;
    for (const record of readLines(gunzipSync(fs.readFileSync(`${folder}/${file}`)).toString('utf8'))) {
      if (record.type !== 'user' && record.type !== 'assistant') continue;
      const { sessionId: session, timestamp: ts } = record;
      const content = record.message?.content ?? [];
      const text = textOf(content);
      if (text.trim() !== '' && !record.isMeta)
        messages.set(JSON.stringify([session, ts, record.type, text]), { session, ts, text });
      for (const block of Array.isArray(content) ? content : []) {
        if (block?.type === 'tool_use' && !calls.has(block.id))
          calls.set(block.id, { session, ts, text: `${block.name}\n${JSON.stringify(block.input)}` });
        if (block?.type === 'tool_result' && !outputs.has(block.tool_use_id))
          outputs.set(block.tool_use_id, textOf(block.content ?? ''));
      }
    }
  }
  const whole = [...calls].map(([id, call]) => {
    return { ...call, text: `${call.text}\n${(outputs.get(id) ?? '').slice(0, 2_000)}` };
  });
  return { messages: [...messages.values()], calls: whole };
}

function textOf(content) {
  if (typeof content === 'string') return content;
  return content.flatMap((block) => (block?.type === 'text' ? [block.text] : [])).join('\n');
}

function indexOf(documents) {
  const calls = documents.map(({ session, ts, text }, at) => {
    return { id: at, session, ts, tool: '', input: '', output: text };
  });
  const index = new RawIndex(calls);
  return (query) => index.bm25(query, depth).map(({ id }) => ({ ...documents[id] }));
}

function readLines(text) {
  return text.split('\n').flatMap((line) => {
    try {
      const record = JSON.parse(line);
      return typeof record === 'object' && record !== null ? [record] : [];
    } catch {
      // A transcript may end in half a line.
      return [];
    }
  });
}

/** Words that make no answer. */
const common = new Set(
  (
    'a an and are as at be been but by can could did do does for from had has have he her his how i if in into is it its just me ' +
    'my no nor not of on or our out over she should so than that the their them then there these they this those to too under up ' +
    'us was we were what when where which while who why will with would you your'
  ).split(' '),
);
