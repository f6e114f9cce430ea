// Candidate rule: two lines for a sub-agent that starts, made by the code of the outline from what was before.
import fs from 'node:fs';

const tokenBudget = 150;

/** The last session, and how the project is checked. `copy` is a file of its own for this: it loses what came later. */
export function spawnOutline(readers, file, copy) {
  return function* twoLines(records) {
    fs.copyFileSync(file, copy);
    const store = readers.openStore(copy);
    const now = Date.now;
    try {
      const found = records.filter(({ what }) => what === 'spawn').toReversed();
      for (const record of found) {
        store.connection.run('DELETE FROM events WHERE ts >= ?', record.ts);
        Date.now = () => Date.parse(record.ts);
        const request = { session: record.session, source: 'startup' };
        const { focus, pinned, sections } = readers.gather(
          store,
          new readers.SessionAccounts(store),
          request,
        );
        const [sessions, , checks] = sections;
        const two = [sessions, checks].map((one) => ({
          ...one,
          lines: one.lines.slice(0, one === sessions ? 1 : 3),
        }));
        const given = { tokenBudget, states: new Map(), standings: [], missing: new Set(), now: Date.now() };
        const { text } = readers.printed({ focus, pinned, sections: two, open: [] }, given);
        if (text !== '') yield { record, said: text };
      }
    } finally {
      Date.now = now;
      store.close();
    }
  };
}
