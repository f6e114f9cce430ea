import { indexLag, openStore, repairIndex } from '../../memory/store/index.ts';
import type { Check, Found, Looked } from './check.ts';
import { fromStore } from './from-store.ts';

/** Whether every memory is in the index that finds it by its words, and nothing else. */
export const lexicalIndex: Check = {
  code: 'index',
  severity: 'warning',
  sentence: 'memories are not in the index and are not found by their words',
  repair: 'run: memd doctor --fix',
  look,
  fix: {
    needsStop: true,
    does: 'the index was written anew',
    run: async ({ workspace }) => {
      const store = openStore(workspace.database);
      try {
        repairIndex(store);
      } finally {
        store.close();
      }
    },
  },
};

async function look({ workspace }: Looked): Promise<Found[]> {
  const lag = fromStore(workspace, indexLag);
  if (lag === null) return [];
  return [
    ...(lag.missing > 0 ? [{ detail: `${lag.missing} missing` }] : []),
    ...(lag.surplus > 0
      ? [
          {
            sentence: 'the index holds words of memories that are gone',
            detail: `${lag.surplus} entries`,
          },
        ]
      : []),
  ];
}
