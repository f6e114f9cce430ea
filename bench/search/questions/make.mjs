/**
 * stories/ + noise/ -> sessions.jsonl and queries.jsonl, always the same for the same SEED. Run: node make.mjs
 * An everyday call that holds what only an answer holds is thrown away and drawn again, so that no answer is unlabelled.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { everyday } from './everyday.mjs';
import { parseNoise, parseStories } from './script.mjs';
import { shape } from './shapes.mjs';

const SEED = 20260630;
const REPOS = ['shop-api', 'tidewater', 'rook', 'pantry'];
const DAY_MS = 24 * 3600 * 1000;

const here = (path) => new URL(path, import.meta.url);
const random = xorshift32(SEED);
const made = REPOS.map(makeRepo);

const calls = made.flatMap((repo) => repo.calls).sort((a, b) => a.ts.localeCompare(b.ts));
const idOf = new Map(calls.map((call, index) => [call, `toolu_q${String(index + 1).padStart(4, '0')}`]));
const lines = calls.map((call) => {
  const { session, repo, ts, agent, cwd, tool, is_error, input, output } = call;
  return JSON.stringify({ id: idOf.get(call), session, repo, ts, agent, cwd, tool, is_error, input, output });
});
const queries = made.flatMap((repo) => repo.questions.map((question) => labelled(repo, question)));

writeFileSync(here('sessions.jsonl'), `${lines.join('\n')}\n`);
writeFileSync(
  here('queries.jsonl'),
  `${queries.map((query, index) => JSON.stringify({ qid: `q${String(index + 1).padStart(3, '0')}`, ...query })).join('\n')}\n`,
);

function makeRepo(repo) {
  const { sessions, questions } = parseStories(readFileSync(here(`stories/${repo}.txt`), 'utf8'));
  const noise = parseNoise(readFileSync(here(`noise/${repo}.txt`), 'utf8'));
  const marks = questions.flatMap((question) => question.mark ?? []);
  const draw = everyday({ noise, random });
  const cwd = `/home/mira/code/${repo}`;

  function shaped(session, call) {
    const { tool, input, output } = shape(session.agent, call, cwd);
    return { tool, is_error: call.failed, input, output };
  }
  function harmless(session) {
    const paths = touchedBy(sessions, session);
    for (;;) {
      const call = draw(session.start.slice(0, 10), paths);
      const swapped = (line) => session.swaps.reduce((text, [from, to]) => text.replaceAll(from, to), line);
      const result = shaped(session, {
        ...call,
        input: call.input.map(swapped),
        lines: call.lines.map(swapped),
      });
      if (!marks.some((mark) => mark.test(textOf(result)))) return result;
    }
  }
  const all = sessions.flatMap((session) => {
    const places = Array.from(
      { length: session.noise + Math.floor(random() * 5) - 2 },
      () => random() * (session.calls.length + 0.6),
    ).sort((a, b) => a - b);
    const copied = session.calls.map((call, index) => ({
      at: index + 0.5,
      make: () => ({ ...shaped(session, call), key: call.key }),
    }));
    const between = places.map((at) => ({ at, make: () => harmless(session) }));
    let time = Date.parse(`${session.start}:00Z`);
    return [...copied, ...between]
      .sort((a, b) => a.at - b.at)
      .map(({ make }) => {
        time += 2_000 + Math.floor(random() * random() * 180_000);
        return {
          session: session.id,
          repo,
          ts: new Date(time).toISOString(),
          agent: session.agent,
          cwd,
          ...make(),
        };
      });
  });
  return { repo, calls: all, questions };
}

/** The files that the stories of a repository have changed by the end of a session. */
function touchedBy(sessions, session) {
  return sessions
    .filter((other) => other.start <= session.start)
    .flatMap((other) => other.calls.filter((call) => call.tool === 'Edit' || call.tool === 'Write'))
    .map((call) => call.subject);
}

function labelled({ repo, calls: own }, question) {
  const relevant = question.labels.map(([key, grade]) => {
    const call = own.find((candidate) => candidate.key === key);
    if (!call) throw new Error(`${repo}: no call #${key} for "${question.query}"`);
    return { call, grade: Number(grade) };
  });
  for (const call of own) {
    const unlabelled = question.mark?.test(textOf(call)) && !relevant.some((label) => label.call === call);
    if (unlabelled)
      console.warn(
        `${repo} "${question.query}": also in #${call.key ?? '-'} ${call.tool} of ${call.session}`,
      );
  }
  const last = Math.max(...relevant.map((label) => Date.parse(label.call.ts)));
  const asked = new Date(
    last + (14 + Math.floor(random() * 43)) * DAY_MS + Math.floor(random() * 3 * 3600 * 1000),
  );
  return {
    kind: question.kind,
    repo,
    query: question.query,
    ts: asked.toISOString(),
    relevant: Object.fromEntries(relevant.map(({ call, grade }) => [idOf.get(call), grade])),
    sessions: [...new Set(relevant.map(({ call }) => call.session))],
    answer: question.answer,
  };
}

function textOf({ input, output }) {
  return `${strings(input).join('\n')}\n${output}`;
}

function strings(value) {
  if (typeof value === 'string') return [value];
  return value !== null && typeof value === 'object' ? Object.values(value).flatMap(strings) : [];
}

/** A seeded generator (xorshift, Marsaglia 2003, shifts 13, 17, 5): () -> [0, 1). */
function xorshift32(seed) {
  let state = seed;
  return () => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return (state >>> 0) / 2 ** 32;
  };
}
