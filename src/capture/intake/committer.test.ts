import { expect, test } from 'vitest';
import type { ToolEvent } from '#core/event';
import { Committer } from './committer.ts';

test('a flush ends with what was pushed before it, though more keeps coming', async () => {
  const ids: string[] = [];
  let more = true;
  const busy = new Committer({
    store: async (events) => {
      ids.push(...events.map((event) => event.id));
      await new Promise((resolve) => setImmediate(resolve));
      if (more) busy.push({ id: `ev_${ids.length}` } as ToolEvent, ids.length);
    },
    committed: () => {},
    report: () => {},
  });
  busy.push({ id: 'ev_first' } as ToolEvent, 0);
  await busy.flush();
  more = false;
  expect(ids[0]).toBe('ev_first');
  await busy.close();
});
