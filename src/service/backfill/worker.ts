import { endNoticeTool } from '#core/event';
import { notify, serveThread, ThreadClient } from '#core/thread';
import type { EngineOps } from '#service/engine';
import { followTranscript } from './follow.ts';
import type { BackfillOps, BackfillTask, FollowTask } from './messages.ts';
import { type BackfillOptions, type BackfillResult, runBackfill } from './run.ts';
import { transcriptsOf } from './sources.ts';

/** The thread that finds, reads and redacts transcripts, and has the engine store them. */
serveThread<BackfillOps>({ open: () => ({ run, follow }) });

async function run({ source, dryRun, messages, engine: port }: BackfillTask): Promise<BackfillResult> {
  const engine = new ThreadClient<EngineOps>(port);
  const found = await transcriptsOf(source);
  try {
    return await runBackfill({
      found,
      store: dryRun ? previewing(engine) : (events) => engine.call('commit', { events }),
      progress: notify,
      messages,
    });
  } finally {
    found.close?.();
    port.close();
  }
}

async function follow({ engine: port, ...task }: FollowTask): Promise<void> {
  const engine = new ThreadClient<EngineOps>(port);
  try {
    await followTranscript(task, {
      position: (file) => engine.call('transcriptPosition', { file }),
      setPosition: (file, position) => engine.call('setTranscriptPosition', { file, position }),
      store: (events) => engine.call('commit', { events }),
    });
  } finally {
    port.close();
  }
}

/** Stores nothing; answers how many events would be new. */
function previewing(engine: ThreadClient<EngineOps>): BackfillOptions['store'] {
  const seen = new Set<string>();
  const paired = new Set<string>();
  return async (all) => {
    // It would be added to its call.
    const events = all.filter(({ tool }) => tool !== endNoticeTool);
    const previewed = await engine.call('preview', { events });
    let inserted = 0;
    for (const [at, { known: isStored, duplicates, keys }] of previewed.entries()) {
      const id = events[at]?.id ?? '';
      const known = isStored || keys.some((key) => seen.has(key));
      const duplicate = known || seen.has(id) ? undefined : duplicates.find((each) => !paired.has(each));
      if (duplicate !== undefined) paired.add(duplicate);
      else if (!known && !seen.has(id)) inserted += 1;
      for (const each of [id, ...keys]) seen.add(each);
    }
    return { inserted, duplicates: events.length - inserted };
  };
}
