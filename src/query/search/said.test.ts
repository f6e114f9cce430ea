import { afterEach, beforeEach, expect, test } from 'vitest';
import { deterministicEmbedder } from '#memory/embed';
import { SearchReads } from '#memory/store';
import { eventAt, newStore, summarised, type TestStore } from '../../../test/support/store/store.ts';
import { Searcher } from './searcher.ts';

let own: TestStore;
let searcher: Searcher;

beforeEach(() => {
  own = newStore();
  summarised(
    own.store,
    [
      eventAt(1),
      said(2, 'user', 'Please pin the database driver.'),
      said(3, 'assistant', 'The driver is pinned: version 9 drops the pool.'),
      said(4, 'assistant', 'The pool stays.'),
    ],
    () => 'about the database driver',
  );
  const digest = { sessionId: 's1', terms: '', model: 'builtin', ts: eventAt(4).ts, lastSeq: 4 };
  own.store.digests.save({ ...digest, text: 'goal: pin the database driver' });
  const embedder = deterministicEmbedder();
  searcher = new Searcher({
    store: new SearchReads(own.store),
    embedder: { current: () => Promise.resolve(embedder), failed: () => {} },
    settings: { topK: 10, halfLifeDays: 30, decayFloor: 0.8, rrfK: 60 },
    now: () => Date.parse('2026-03-01T00:00:00Z'),
  });
});
afterEach(() => own.remove());

function said(at: number, role: 'user' | 'assistant', text: string) {
  const message = { role, turnId: 't1', agentId: null } as const;
  return eventAt(at, { tool: role === 'user' ? 'Prompt' : 'Reply', input: {}, output: text, message });
}

test('the numbers of why give the score of a call, a message and a session', async () => {
  const query = 'did the user want the database driver pinned';
  const { hits } = await searcher.explained({ query });
  expect(new Set(hits.map(({ kind }) => kind))).toEqual(new Set(['call', 'message', 'session']));
  for (const { why, score, role } of hits) {
    const legs = Object.values(why.legs ?? {}).reduce((sum, { contribution }) => sum + contribution, 0);
    const factors = Object.values(why.factors ?? {}).reduce((all, one) => all * one, why.decay.factor);
    const sum = why.bm25.contribution + why.vector.contribution + legs;
    expect(Math.abs(sum * factors - score)).toBeLessThan(1e-9);
    if (role === 'user')
      expect(why.explanation).toContain('a prompt, for a question about what was asked for');
  }
});

test('a change finds calls by what was said in their turn, and why has its part', async () => {
  summarised(own.store, [eventAt(5)], () => 'the pool of the driver');
  const { hits } = await searcher.explained({ query: 'pin the database driver' });
  const lifted = hits.filter(({ why }) => why.legs?.talk !== undefined);
  expect(lifted.map(({ text }) => text)).toEqual(['the pool of the driver']);
  for (const { why, score } of lifted) {
    const legs = Object.values(why.legs ?? {}).reduce((sum, { contribution }) => sum + contribution, 0);
    const factors = Object.values(why.factors ?? {}).reduce((all, one) => all * one, why.decay.factor);
    const sum = why.bm25.contribution + why.vector.contribution + legs;
    expect(Math.abs(sum * factors - score)).toBeLessThan(1e-9);
    expect(why.explanation).toContain('what was said in its turn matches');
  }
});

test('a product that no memory names fits nothing; one that is named, and any other word, do', async () => {
  const fits = async (query: string) => (await searcher.found({ query })).fits ?? true;
  expect(await fits('why is the driver on kubernetes')).toBe(false);
  expect(await fits('why is the driver hammering')).toBe(true);
  summarised(own.store, [said(5, 'user', 'It runs on Kubernetes.')], () => 'where it runs');
  expect(await fits('why is the driver on kubernetes')).toBe(true);
});

test('words that no memory has find nothing', async () => {
  expect((await searcher.found({ query: 'zzzzqqqq' })).hits).toEqual([]);
});

test('a question about a date alone finds the sessions of that time, with numbers that sum', async () => {
  for (const query of ['what did we do on 1 January 2026', 'January 2026']) {
    const { hits, dates } = await searcher.explained({ query });
    expect(dates).not.toHaveProperty('lifted');
    expect(hits.map(({ kind, text }) => [kind, text])).toEqual([
      ['session', 'goal: pin the database driver'],
    ]);
    const [{ why, score } = { why: null, score: 0 }] = hits;
    const sum = Object.values(why?.legs ?? {}).reduce((all, { contribution }) => all + contribution, 0);
    expect(Math.abs(sum * (why?.decay.factor ?? 0) - score)).toBeLessThan(1e-9);
    expect(why?.explanation).toContain('of the date that is asked about (rank 1)');
  }
  const { hits } = await searcher.found({ query: 'what did we do on 1 January 2026', kinds: ['message'] });
  expect(hits.map(({ tool }) => tool)).toEqual(['Prompt', 'Reply', 'Reply']);
});

test('why says with which better hit of its session one is listed, where there are several sessions', async () => {
  const query = 'database driver';
  const sentences = async () => (await searcher.explained({ query })).hits.map(({ why }) => why.sentence);
  expect(await sentences()).not.toContainEqual(expect.stringContaining('listed with'));
  summarised(own.store, [eventAt(5, { sessionId: 's2' })], () => 'about the database driver');
  const [first, ...others] = (await searcher.explained({ query })).hits;
  const ofFirst = others.filter(({ sessionId }) => sessionId === first?.sessionId);
  expect(ofFirst.length).toBeGreaterThan(0);
  for (const { id, why } of ofFirst) {
    expect(why.sentence).toContain('; listed with rank 1, of the same session.');
    expect(await searcher.why({ query, id })).toMatchObject({ sentence: why.sentence });
  }
  expect(first?.why.sentence).not.toContain('listed with');
});

test('what is said of a session without a digest comes in its place', async () => {
  own.store.connection.exec("UPDATE digests SET text = ''");
  const { hits } = await searcher.found({ query: 'what happened in January 2026' });
  expect(hits[0]?.passage).toContain('Please pin the database driver.');
});

test('a date that leaves nothing is lifted and said; one in running text does not limit', async () => {
  for (const query of ['why was the driver pinned in March 2024', 'what happened in March 2024']) {
    const found = await searcher.found({ query });
    expect(found.dates).toMatchObject({ text: 'from 1 to 31 March 2024', lifted: true });
    expect(found.hits.length).toBeGreaterThan(0);
  }
  const [{ nearest: late }, { nearest: early }, { nearest: none }] = [
    await searcher.found({ query: 'what happened in March 2024' }),
    await searcher.found({ query: 'driver', since: '2026-02-01' }),
    await searcher.found({ query: 'what flour did we grind on 1 January 2026' }),
  ];
  expect([late, early, none]).toEqual(['1 January 2026', '1 January 2026', undefined]);
  const { hits: others } = await searcher.explained({ query: 'what happened in March 2024' });
  expect(others[0]?.why.sentence).toBe(
    'Rank 1: no memory is of the date that is asked about, so the newest come first.',
  );
  const reported = await searcher.found({ query: "The driver is broken after last week's deploy" });
  expect(reported.dates).toBeUndefined();
  expect(reported.hits.length).toBeGreaterThan(0);
});

test('every way to search shows the same part of a message, as it is written', async () => {
  const filler = 'Nothing of interest is here. '.repeat(30);
  const text = `${filler}\n- We keep the **queue** in sqlite; redis lost jobs.\n${filler}`;
  summarised(own.store, [said(5, 'user', text)], () => 'about the queue');
  const request = { query: 'why not redis for the queue' };
  const [hit] = (await searcher.found(request)).hits;
  expect(hit?.passage).toContain('- We keep the **queue** in sqlite; redis lost jobs.');
  expect(text).toContain(hit?.passage);
  expect(hit?.passage?.length).toBeLessThanOrEqual(600);
  const [explained] = (await searcher.explained(request)).hits;
  const [fitting] = (await searcher.fitting(request, 0)).hits;
  const [session] = (await searcher.sessions(request)).sessions;
  for (const one of [explained, fitting, session?.moments[0]]) expect(one?.passage).toBe(hit?.passage);
});

test('a note comes before longer talk with the same word, whose neighbours have it too', async () => {
  const talk = (at: number, text: string) => ({ ...said(at, 'assistant', text), sessionId: 's2' });
  const note = eventAt(20, {
    tool: 'Note',
    input: {},
    output: '',
    sessionId: '',
    message: { role: 'user', turnId: null, agentId: null },
  });
  summarised(own.store, [...Array.from({ length: 6 }, (_, at) => talk(10 + at, `step ${at}`)), note], (at) =>
    at === 6
      ? 'we deploy on Tuesdays, after the backup'
      : `what a stranger can deploy, and deploy again ${at}`,
  );
  const { hits } = await searcher.explained({ query: 'when do we deploy' });
  expect(hits[0]).toMatchObject({
    tool: 'Note',
    why: { explanation: expect.stringContaining('a note, which') },
  });
});

test('what has a pasted line word for word comes first, questions, changes and git aside', async () => {
  summarised(own.store, [said(5, 'assistant', 'Error: the pool "main" is drained')], () => 'an answer');
  summarised(own.store, [said(6, 'user', 'the pool, the main pool: error, drained')], () => 'a question');
  const first = async (query: string) => (await searcher.explained({ query })).hits[0];
  const pasted = await first('the pool "main" is drained');
  expect(pasted?.passage ?? pasted?.text).toContain('is drained');
  expect(pasted?.why.factors?.verbatim).toBeGreaterThan(0);
  expect(pasted?.why.explanation).toContain('has the query word for word');
  const commit = { command: 'git commit -m "main pool is now drained"' };
  summarised(own.store, [eventAt(7, { input: commit })], () => 'a commit: main pool is now drained');
  const asides = ['pool drained', 'what drained the main pool', 'fix: the pool "main" is drained'];
  for (const query of [...asides, 'main pool is now drained'])
    expect((await first(query))?.why.factors?.verbatim).toBeUndefined();
});

test('of a line that reads as a change: what the user said, and a reply if the line is not a subject', async () => {
  const line = 'Run the pool tests twice';
  const edit = eventAt(5, { tool: 'Edit', input: { file_path: 'pool.ts' } });
  summarised(own.store, [edit], () => 'Edited pool.ts: run pool tests twice');
  const [reply = 0] = summarised(
    own.store,
    [said(6, 'assistant', `${line}. Committed as: ${line}`)],
    () => 'a reply',
  );
  const first = async (query: string) => (await searcher.explained({ query })).hits[0];
  expect((await first(line))?.why.factors?.verbatim).toBeUndefined();
  expect((await first(`${line}.`))?.id).toBe(reply);
  const [asked = 0] = summarised(own.store, [said(7, 'user', `${line}, and then once more`)], () => 'asked');
  expect((await first(line))?.id).toBe(asked);
});

test('what was said comes before a message that retells the session, where it fits nearly as well', async () => {
  const retelling =
    '1. Primary Request and Intent:\n   We moved the mirror of the wheel cache, to a smaller bucket.';
  const [retold = 0, near = 0] = summarised(
    own.store,
    [said(5, 'assistant', retelling), said(6, 'assistant', 'We moved the mirror of the wheel cache.')],
    () => 'said',
  );
  const ranks = async (query: string) => {
    const { hits } = await searcher.explained({ query });
    return new Map(hits.map(({ id, why }) => [id, [why.rrf.rank, why.factors?.retold]]));
  };
  const both = await ranks('which mirror of the wheel cache was moved');
  expect([both.get(near), both.get(retold)]).toEqual([
    [1, expect.any(Number)],
    [2, undefined],
  ]);
  const alone = await ranks('who wanted a smaller bucket');
  expect(alone.get(retold)).toEqual([1, undefined]);
  expect([...alone.values()].map(([, factor]) => factor).every((factor) => factor === undefined)).toBe(true);
});
