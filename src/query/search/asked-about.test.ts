import { afterAll, beforeAll, expect, test } from 'vitest';
import { spanWords } from '#query/when';
import { askedAbout } from './asked-about.ts';

const before = process.env.TZ;
beforeAll(() => {
  process.env.TZ = 'Europe/Berlin';
});
afterAll(() => {
  process.env.TZ = before ?? '';
  if (before === undefined) delete process.env.TZ;
});

/** Wednesday. */
const now = Date.parse('2026-02-18T09:00:00+01:00');

/** A hundred queries, a third of each kind, written before the code that reads them. */
const running = [
  "Customers were charged twice after last week's deploy",
  'Login broken since yesterday',
  'The nightly export has been failing since Monday 9 February with ENOSPC, nothing else changed on that host',
  'Checkout returns 500 since the release on 12 February',
  'As of last month the invoices of tenants with a comma in their name are empty. Steps: open the tenant, press Export.',
  'Fix the flaky upload test that came in with the merge on Monday',
  'I noticed yesterday that the search box loses focus after every letter, please make it keep the focus',
  'Add a banner that says we are closed from 9 to 15 February',
  'Please write the changelog for the release of 2026-02-12',
  'Update the copyright year, it still says last year',
  'Subscriptions that were cancelled last month still get a renewal mail\n\nExpected: no mail',
  'implement the reminder: orders placed 3 days ago and still unpaid get a mail',
  'The cron job ran on 1 February although it is disabled',
  'Users in Brazil report that the calendar starts on Sunday since this week',
  'make the report group rows by month, and leave out last year',
  'the parser turns 2026-02-12 into 12 December',
  'Date picker throws RangeError when I choose 31 January',
  'feat(billing): prorate plans that change in the last week of a month',
  'fix: tokens issued yesterday are rejected after midnight',
  "Can you look at the memory leak? It has been growing since last week's upgrade and the pods get killed.",
  'Our certificate expired on 3 February and the agents could not reconnect, so retry with the new chain',
  'TypeError: cannot read properties of undefined (reading "iso") at parse (2026-02-12)',
  'Retry the webhooks that failed on Monday and log each attempt',
  'It worked last week, now the build hangs at linking',
  'Seed the database with orders from January 2026 to show the chart',
  'we should drop support for the old API this month, prepare the warnings',
  'The dashboard is slow for tenants created before 2025-06-01',
  'Remove everything older than two weeks ago from the cache folder',
  'Sessions started today are shown under tomorrow in Tokyo',
  'Rename the column that we added yesterday to created_at',
  'let the user pick today, this week or this month in the filter',
  'Please revert the change from yesterday, it breaks the login',
  'Since 5 February the worker logs "lease lost" every minute and jobs run twice',
  'add a test for the leap day on 29 February 2024',
  'parse "3 days ago" into milliseconds',
  'where is "yesterday" translated',
  'the field "since yesterday" in the settings form',
  'why does formatDate("2026-01-01") print 31 December',
  'which test covers `last month`',
  'why is \u201c12 February\u201d shown twice',
  "what prints 'in January 2026' in the header",
] as const;

const matter: readonly (readonly [query: string, span: string])[] = [
  ['why did we drop redis last week', 'from 9 to 15 February 2026'],
  ['what did we decide about the queue on 12 February', 'on 12 February 2026'],
  ['the migration of January', 'from 1 to 31 January 2026'],
  ['"the migration of January"', 'from 1 to 31 January 2026'],
  ['which tests failed yesterday', 'on 17 February 2026'],
  ['errors on Monday', 'on 16 February 2026'],
  ["yesterday's build", 'on 17 February 2026'],
  ['deploy of 2026-02-12, why', 'on 12 February 2026'],
  ['the migration we fixed last week', 'from 9 to 15 February 2026'],
  ['how did we sign the release in January', 'from 1 to 31 January 2026'],
  ['lockfile changes since mid February', 'since 10 February 2026'],
  ['what was wrong with the parser two weeks ago', 'from 2 to 8 February 2026'],
  ['rate limit last month', 'from 1 to 31 January 2026'],
  ['Which port did the proxy get on 3 February?', 'on 3 February 2026'],
  ['did we rotate the signing key this month?', 'from 1 to 28 February 2026'],
  ['what did the reviewer say about caching on Monday', 'on 16 February 2026'],
  ['commits to the tokenizer between 28 January and 3 February', 'from 28 January to 3 February 2026'],
  ['show me the benchmark numbers from last week', 'from 9 to 15 February 2026'],
  ['find the discussion of retries in January', 'from 1 to 31 January 2026'],
  ['who asked for dark mode in December', 'from 1 to 31 December 2025'],
  ['was the flaky upload test fixed before 2026-02-01', 'until 31 January 2026'],
  ['when this week did we touch the scheduler', 'from 16 to 22 February 2026'],
  ['when did the export break in January?', 'from 1 to 31 January 2026'],
  ['what did we try for the memory leak in the past 3 days', 'from 15 to 18 February 2026'],
  ['sqlite pragma decision 9 February', 'on 9 February 2026'],
  ['the ci failure on Monday 9 February', 'on 9 February 2026'],
  ['list the flags we removed last month', 'from 1 to 31 January 2026'],
  ['tell me what we changed in the billing module yesterday', 'on 17 February 2026'],
  ['reasons for the rollback on 5 February', 'on 5 February 2026'],
  ['Where did we leave the importer yesterday?', 'on 17 February 2026'],
  ['last week: which endpoint timed out', 'from 9 to 15 February 2026'],
  ['how many rows did the backfill touch 3 days ago', 'on 15 February 2026'],
  ['everything about the proxy since yesterday', 'since 17 February 2026'],
  ['the plan for the cache that we wrote in January', 'from 1 to 31 January 2026'],
];

const alone: readonly (readonly [query: string, span: string])[] = [
  ['what did we do yesterday', 'on 17 February 2026'],
  ['what happened on 12 February', 'on 12 February 2026'],
  ['yesterday', 'on 17 February 2026'],
  ['last week', 'from 9 to 15 February 2026'],
  ['12 February', 'on 12 February 2026'],
  ['What did we work on last week?', 'from 9 to 15 February 2026'],
  ['what have we done this week so far', 'from 16 to 22 February 2026'],
  ['what was I working on on Monday', 'on 16 February 2026'],
  ['what did I do 3 days ago?', 'on 15 February 2026'],
  ['what changed in January', 'from 1 to 31 January 2026'],
  ['summary of last week', 'from 9 to 15 February 2026'],
  ['recap of 9 to 15 February', 'from 9 to 15 February 2026'],
  ['show me the sessions of 2026-02-12', 'on 12 February 2026'],
  ['sessions from yesterday', 'on 17 February 2026'],
  ['what got done today', 'on 18 February 2026'],
  ["yesterday's work", 'on 17 February 2026'],
  ['anything from last month?', 'from 1 to 31 January 2026'],
  ['what was going on two weeks ago', 'from 2 to 8 February 2026'],
  ['tell me what happened the day before yesterday', 'on 16 February 2026'],
  ['what did you do yesterday', 'on 17 February 2026'],
  ['did we do anything on Monday?', 'on 16 February 2026'],
  ['what have we been up to since Monday', 'since 16 February 2026'],
  ['progress this month', 'from 1 to 28 February 2026'],
  ['What was accomplished in the past 3 days?', 'from 15 to 18 February 2026'],
  ['how did yesterday go', 'on 17 February 2026'],
  ['what all did we get done on 3 February', 'on 3 February 2026'],
  ['where were we on Monday 9 February', 'on 9 February 2026'],
  ['list everything we did between 2026-02-09 and 2026-02-15', 'from 9 to 15 February 2026'],
  ['history of December 2025', 'from 1 to 31 December 2025'],
  ['the work of last week', 'from 9 to 15 February 2026'],
  ['what were the things we worked on in January?', 'from 1 to 31 January 2026'],
  ['catch me up on last week', 'from 9 to 15 February 2026'],
  ['which sessions were there on 5 February', 'on 5 February 2026'],
];

const read = (query: string): unknown => {
  const asked = askedAbout(query, now);
  return asked === null ? null : { span: spanWords(asked), isAlone: asked.isAlone };
};

test.each(running)('%j asks for no date', (query) => {
  expect(read(query)).toBeNull();
});

test.each(matter)('%j asks for something of %j', (query, span) => {
  expect(read(query)).toEqual({ span, isAlone: false });
});

test.each(alone)('%j asks for all of %j', (query, span) => {
  expect(read(query)).toEqual({ span, isAlone: true });
});
