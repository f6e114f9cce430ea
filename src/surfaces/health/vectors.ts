import { loadConfig } from '../../core/config/index.ts';
import { objectAt, stringAt } from '../../core/event/index.ts';
import { backfillTimeoutMs, embeddingLagMax } from '../../core/limits.ts';
import { call, ping } from '../../core/rpc/index.ts';
import { Consolidator } from '../../memory/consolidate/index.ts';
import { openStore, type Store } from '../../memory/store/index.ts';
import { conditions } from '../../service/info/index.ts';
import type { Check, Found, Looked, Subject } from './check.ts';
import { fromStore } from './from-store.ts';

/** Whether memories have vectors, of the embedder in force where a daemon tells which that is. */
export const vectors: Check = {
  ...conditions.vectors,
  look,
  fix: { needsStop: false, does: 'the vectors were made', run: embed },
};

async function look({ workspace, running }: Looked): Promise<Found[]> {
  const info = await running();
  const embedder = stringAt(objectAt(info ?? {}, 'backends') ?? {}, 'embedder') ?? null;
  const figures = fromStore(workspace, (store) => ({
    all: store.stats.counts().summaries,
    any: store.embeddings.countAll(),
    own: embedder === null ? null : ofEmbedder(store, embedder),
  }));
  if (figures === null) return [];
  const { all, any, own } = figures;
  // Spec 8: about a hundred behind tells of an embedder that fails; fewer are on their way.
  if (all - any > embeddingLagMax) return [{ detail: `${all - any} of ${all}` }];
  if (own === null || all - own <= embeddingLagMax) return [];
  return [
    {
      severity: 'note',
      sentence: 'memories have the vectors of another embedder than the one in force',
      detail: `${all - own} of ${all}, not of ${embedder}`,
      repair: 'they are made anew when the other one stays away for a day (docs/models.md)',
      isFixable: false,
    },
  ];
}

function ofEmbedder({ connection }: Store, embedder: string): number {
  const sql = 'SELECT count(*) AS n FROM summary_embeddings WHERE embedder = ?';
  return Number(connection.get(sql, embedder)?.n ?? 0);
}

/** A drain of no events: it makes what vectors are missing and asks nobody about anything. The daemon's, where one answers. */
async function embed({ workspace, env, progress }: Subject): Promise<void> {
  progress('making vectors');
  if ((await ping(workspace.socket)) === 'ok') {
    await call(workspace.socket, { op: 'drain', limit: 0 }, { timeoutMs: backfillTimeoutMs });
  } else {
    const { config } = loadConfig(workspace.config, env);
    const store = openStore(workspace.database);
    try {
      const consolidator = new Consolidator({ store, config, env, report: () => {} });
      await consolidator.drain(0, new AbortController().signal);
      await consolidator.close();
    } finally {
      store.close();
    }
  }
  progress('');
}
