import { describe, expect, it } from 'vitest';
import { asksIn, onlyAsks, outcomeIn, reportIn } from './index.ts';

describe('a report', () => {
  it('in parts is their headings, where these say what was done', () => {
    const parts =
      '### 1. Removed the `bell` (9 lines)\n- It was never rung\n- No rope\n\n### 2. Gate - **skipped**\n- It is needed\n\n### 3. Added a lock of oak\n- Oak';
    expect(reportIn(`Done.\n\n${parts}`, 240)).toBe(
      'Removed the `bell` (9 lines) • Gate - skipped • Added a lock of oak',
    );
    expect(
      reportIn('### 1. Gate\n- Added a lock\n- Fixed the door\n### 2. Wheel\n- Removed rust', 240),
    ).toContain('Added a lock');
  });

  it('of files says what was done in each', () => {
    const files =
      '1. **`src/wheel.ts`**\n   - Added `turn()`\n   - Removed rust\n\n2. **`a.ts`** and **`b.ts`**\n   - Added tests of it';
    expect(reportIn(`Changes:\n\n${files}`, 240)).toBe(
      '`src/wheel.ts`: Added `turn()`, … • `a.ts` and `b.ts`: Added tests of it',
    );
  });

  it('is none of the reasons, and leaves no word at its end that needs another', () => {
    const list = '- Added a lock to the gate\n- Removed the rust of the wheel';
    expect(
      reportIn(`${list}\n\n### Why this is better\n- It handles the rain\n- Nothing is set twice`, 240),
    ).toBe('Added a lock to the gate • Removed the rust of the wheel');
    const shared = `- **Created a shared part** \`mill/wheel.ts\` with:\n  - \`turn()\` which is told how fast it turns, and for whom, and stops at noon without a word of the miller\n- Removed rust`;
    expect(reportIn(shared, 70)).toMatch(/^Created a shared part `mill\/wheel.ts` •/);
    expect(
      reportIn(
        'I rebuilt it.\n\n- **Phase 1.5: Drain** — drains it and now waits for the river to fall\n- **Phase 2: Fill** — fills it again and now stops in time',
        240,
      ),
    ).toMatch(/^Drain\b/);
  });
});

describe('what came out', () => {
  it('is not how it was, and has the list without which it says nothing', () => {
    expect(
      outcomeIn(
        'I made the mill quiet.\n\n**Before:**\n- Result: the wheel rattles at noon\n\n**After:**\n- Result: the wheel is quiet now',
        200,
      ),
    ).not.toContain('rattles');
    expect(
      outcomeIn(
        'I changed the wheel so that it now:\n1. **Stops at night** - always\n2. **Turns at noon**',
        200,
      ),
    ).toBe('I changed the wheel so that it now: Stops at night; Turns at noon');
  });
});

describe('what is asked', () => {
  const padding =
    'and the miller has heard from the village that nobody there could sleep since the flood of the last spring, which was long';
  it('is the clause that asks, and follows a wish', () => {
    expect(asksIn(`we hung a bell at the gate ${padding}, can you find out why it rings at night`)).toMatch(
      /^we hung a bell .*… can you find out why it rings at night$/,
    );
    expect(
      asksIn(`I want to talk about bells. Can you list me some that are loud? The wheel turns, ${padding}.`),
    ).toBe('I want to talk about bells. Can you list me some that are loud?');
  });

  it('and ordered is no mere question', () => {
    expect(onlyAsks('does this use the old wheel, use the new one instead')).toBe(false);
    expect(onlyAsks('no, does this use the old wheel')).toBe(true);
  });
});
