import { afterEach, expect, test } from 'vitest';
import { deterministicEmbedder } from '#memory/embed';
import { type Memory, TestMemories } from '../../../test/support/search/memories.ts';
import { Searcher } from './searcher.ts';

let memories: TestMemories | null = null;
afterEach(() => memories?.close());

/** `sessions` by their ids: what each call says. */
function searcherOver(sessions: Readonly<Record<string, readonly string[]>>): Searcher {
  memories = new TestMemories();
  const all = Object.entries(sessions).flatMap(([sessionId, said]) =>
    said.map((text): Memory => ({ text, session: sessionId })),
  );
  memories.add(all);
  const embedder = deterministicEmbedder();
  return new Searcher({
    store: memories.reads,
    embedder: { current: () => Promise.resolve(embedder), failed: () => {} },
    settings: { topK: 10, halfLifeDays: 30, decayFloor: 0.8, rrfK: 60 },
    now: () => Date.parse('2026-03-01T00:00:00Z'),
  });
}

const orderOf = async (searcher: Searcher, query: string) =>
  (await searcher.sessions({ query })).sessions.map(({ sessionId }) => sessionId);

const report = [
  'Vouchers are subtracted twice when a basket is restored',
  'Steps: fill a basket, apply a voucher, reload. Expected one discount, seen two.',
  'TypeError: subtotal is undefined at src/checkout/totals.ts:88',
].join('\n');
const plan = [
  'Move the kiln schedule to its own screen.',
  '- `src/kiln/ScheduleForm.tsx`: takes the ramp and the soak',
  '- `src/kiln/curve.ts`: draws the cooling, with cone and hold',
].join('\n');

const often = (words: string) =>
  ['Read', 'Wrote', 'Ran', 'Asked for', 'Looked at'].map((verb) => `${verb}: ${words}`);
/** Too far from each other to be neighbours. */
const apart = (words: string) =>
  words
    .split(' ')
    .flatMap((word, at) => [`Step ${at}: ${word}`, ...pages.map((page) => `Read page ${page}`)]);
const pages = Array.from({ length: 33 }, (_, page) => page);

test.each([
  {
    asked: report,
    few: 'vouchers of a restored basket, subtracted',
    all: 'totals.ts subtotal discount TypeError undefined reload checkout',
  },
  {
    asked: plan,
    few: 'the kiln schedule on a screen',
    all: 'ScheduleForm.tsx ramp soak cooling cone hold',
  },
])('a session with most of a long text comes before one with a few of its words often: $few', async (one) => {
  const searcher = searcherOver({ whole: apart(one.all), often: often(one.few) });
  expect(await orderOf(searcher, one.asked)).toEqual(['whole', 'often']);
});

test('what is said often comes first where nothing else is asked for', async () => {
  const searcher = searcherOver({ whole: apart('kiln ramp soak cooling'), often: often('kiln screen') });
  expect(await orderOf(searcher, 'kiln screen')).toEqual(['often', 'whole']);
});

test('what the form of a report asks of everybody finds no session', async () => {
  const environment = ['Fedora 39', 'kitty 0.32', 'Firefox 123', 'kernel 6.7', 'Homebrew 4.2'];
  const searcher = searcherOver({
    release: environment.map((name) => `Tested the installer with ${name}`),
    work: ['Edited src/checkout/totals.ts: subtotal', 'Read how a basket is restored'],
  });
  const steps = 'Fill a basket and apply a voucher, then reload the page and look at the sum. '.repeat(4);
  const form = [report, steps, '### Environment', ...environment.map((name) => `- ${name}`)].join('\n');
  expect((await orderOf(searcher, form))[0]).toBe('work');
});
