import { describe, expect, test } from 'vitest';
import {
  gapWarning,
  Liveness,
  livenessCallsMin,
  livenessGapMs,
  livenessSessionsMax,
  livenessShownMs,
} from './liveness.ts';

const minute = 60_000;
const late = livenessGapMs + 1;

/** A session that announces calls from 0 on, `livenessCallsMin` of them before the gap's time is over. */
function announcing(session = 's', event = 'PreToolUse'): Liveness {
  const liveness = new Liveness();
  for (let at = 0; at < livenessCallsMin; at += 1) {
    expect(liveness.saw(session, event, at * minute)).toBeNull();
  }
  return liveness;
}

describe('a gap', () => {
  test.each([
    ['a call', 'PreToolUse'],
    ['a prompt', 'UserPromptSubmit'],
  ])('opens once when %s comes after minutes of announced calls and no captured one', (_what, event) => {
    const liveness = announcing();
    expect(liveness.saw('s', event, livenessGapMs)).toBeNull();
    expect(liveness.saw('s', event, late)).toMatchObject({ sessionId: 's', lengthMs: late });
    expect(liveness.saw('s', event, late + 1)).toBeNull();
    expect(liveness.gaps(late + 1)).toHaveLength(1);
  });

  test.each(['preToolUse', 'BeforeTool', 'beforeShellExecution', 'tool.execute.before', 'pre_run_command'])(
    'is seen by the name %s too',
    (event) => {
      expect(announcing('s', event).saw('s', event, late)).not.toBeNull();
    },
  );

  test('ends when a call of that session is captured, and not by one of another', () => {
    const liveness = announcing();
    liveness.saw('s', 'PreToolUse', late);
    expect(liveness.captured('other', late)).toBeNull();
    expect(liveness.gaps(late)).toHaveLength(1);
    expect(liveness.captured('s', late)).toMatchObject({ announced: livenessCallsMin + 1 });
    expect(liveness.captured('s', late)).toBeNull();
    expect(liveness.gaps(late)).toEqual([]);
  });

  test('does not open while calls arrive, however long the session is', () => {
    const liveness = new Liveness();
    for (let at = 0; at < 200; at += 1) {
      expect(liveness.saw('s', 'PreToolUse', at * minute)).toBeNull();
      liveness.captured('s', at * minute + 1);
    }
  });

  test('is none in a session of prompts only, with one long or refused call, or of no name', () => {
    const liveness = new Liveness();
    liveness.saw('s', 'PreToolUse', 0);
    for (let at = 0; at < 100; at += 1) {
      expect(liveness.saw('s', 'UserPromptSubmit', at * minute)).toBeNull();
      expect(liveness.saw('', 'PreToolUse', at * minute)).toBeNull();
      expect(liveness.saw('t', 'Notification', at * minute)).toBeNull();
    }
  });

  test('is forgotten with its session, and when the session shows no life for long', () => {
    const ended = announcing();
    ended.saw('s', 'PreToolUse', late);
    ended.saw('s', 'SessionEnd', late);
    expect(ended.gaps(late)).toEqual([]);
    const quiet = announcing();
    quiet.saw('s', 'PreToolUse', late);
    expect(quiet.gaps(late + livenessShownMs - 1)).toHaveLength(1);
    expect(quiet.gaps(late + livenessShownMs)).toEqual([]);
  });

  test('becomes a warning with the repair, and without the whole id', () => {
    const warning = gapWarning({ sessionId: 'a'.repeat(40), announced: 5, lengthMs: 14.7 * minute });
    expect(warning).toContain('for 14 minutes, though it began 5');
    expect(warning).toContain('hooks may not be installed for PostToolUse');
    expect(warning).toContain('run `memd doctor`.');
    expect(warning).not.toContain('a'.repeat(13));
  });
});

test('a bounded number of sessions is remembered, those heard of last', () => {
  const liveness = announcing();
  for (let at = 0; at < livenessSessionsMax - 1; at += 1) liveness.captured(`n${at}`, at);
  expect(liveness.saw('s', 'PreToolUse', late)).not.toBeNull();
  for (let at = 0; at < livenessSessionsMax; at += 1) liveness.captured(`m${at}`, at);
  expect(liveness.gaps(late)).toEqual([]);
});
