import { expect, it } from 'vitest';
import { amountLine } from './progress.ts';

it('shows the amount, the rate and the time left', () => {
  const events = { done: 3_200, total: 11_200, unit: 'events' };
  expect(amountLine('summarising', events, 1_200, 4)).toBe(
    'summarising: 3,200 of 11,200 events, 500/s, 16 s left',
  );
  expect(amountLine('summarising', events, 3_200, 0.1)).toBe('summarising: 3,200 of 11,200 events');
  expect(amountLine('importing', { done: 50, total: 200, unit: 'bytes' }, 0, 2)).toBe(
    'importing: 25 %, 6 s left',
  );
  const files = { done: 4, total: 16, unit: 'files', events: 620 };
  expect(amountLine('transcripts', files, 0, 4, 20)).toBe(
    'transcripts: 4 of 16 files, 620 events, 150/s, 12 s left',
  );
});
