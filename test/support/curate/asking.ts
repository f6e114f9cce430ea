import type { Json } from '#core/event';
import { localPromptTokensMax } from '#core/limits';
import type { Edge, Store } from '#memory/store';
import { type Budget, type Chat, hostedChat, localChat } from '#memory/summarise';
import type { Asked } from '../../../src/memory/curate/asking.ts';
import { curate } from '../../../src/memory/curate/curator.ts';
import { judgeBy } from '../../../src/memory/curate/judge.ts';
import {
  type ModelServer,
  type ModelServerSettings,
  type PromptEvent,
  startModelServer,
} from '../../model-server.ts';
import { newStore, summarised } from '../store/store.ts';
import { payloadOf, type TestCall } from './calls.ts';

export const apiKey = 'test-key-that-nobody-may-see-0123456789';
const retries = { retriesMax: 1, baseMs: 1, retryAfterMsMax: 200 };
const purse: Budget = { dailyTokens: 1_000_000, remaining: () => 1_000_000, spend: () => undefined };
const never = new AbortController().signal;

/** A kind of model, spoken to over HTTP. */
export interface Kind {
  readonly model: string;
  readonly endpoint: 'chat' | 'messages';
  open(base: string, timeoutMs: number): Chat;
}

export const kinds: Readonly<Record<'local' | 'hosted', Kind>> = {
  local: {
    model: 'llama3.2:3b',
    endpoint: 'chat',
    open: (endpoint, timeoutMs) => localChat({ endpoint, model: 'llama3.2:3b', timeoutMs, retries }),
  },
  hosted: {
    model: 'claude-haiku-4-5',
    endpoint: 'messages',
    open: (endpoint, timeoutMs) =>
      hostedChat({ endpoint, model: 'claude-haiku-4-5', apiKey, budget: purse, timeoutMs, retries }),
  },
};

export const untouched = { attempts: 0, verdict: null, lease_until: 0 };

/** A verdict that the newer one replaces the older one. */
export const replaced = ({ id }: Pick<PromptEvent, 'id'>): Json => ({
  id,
  reason: 'The port stands otherwise now.',
  outdated: 'older',
  verdict: 'supersedes',
});

export const disputed = ({ id }: Pick<PromptEvent, 'id'>): Json => ({
  id,
  reason: 'Two ports at one time.',
  outdated: 'none',
  verdict: 'contradicts',
});

/** A read of a file; `at` is its minute. */
export function read(file: number, at: number, when: string, text = `File ${file} ${when}`): TestCall {
  return {
    at,
    tool: 'Read',
    input: { file_path: `/p/config-${file}.json` },
    output: `the port ${when}`,
    text,
  };
}

/** A store, a model server, and curations that ask it. */
export class AskingBench {
  readonly #own = newStore();
  readonly store: Store = this.#own.store;
  readonly reports: string[] = [];
  #server: ModelServer;

  private constructor(server: ModelServer) {
    this.#server = server;
  }

  static async open(): Promise<AskingBench> {
    return new AskingBench(await startModelServer({ apiKey }));
  }

  get server(): ModelServer {
    return this.#server;
  }

  async close(): Promise<void> {
    this.#own.remove();
    await this.#server.close();
  }

  /** Another server in place of the one that is there. */
  async serve(settings: ModelServerSettings): Promise<void> {
    await this.#server.close();
    this.#server = await startModelServer({ apiKey, ...settings });
  }

  /** Stores calls with a summary each; answers the summaries' ids. */
  add(...calls: readonly TestCall[]): number[] {
    const before = this.store.stats.counts().events;
    const events = calls.map((call) => ({
      ...payloadOf(call),
      id: `ev_${call.at}_${before}`,
      client: 'claude-code' as const,
    }));
    return summarised(this.store, events, (at) => calls[at]?.text ?? '');
  }

  /**
   * Stores pairs that no rule decides: each file was read twice, and another thing stood in it. Answers the ids of the
   * older ones and of the newer ones.
   */
  pairs(
    count: number,
    textOf?: (file: number, when: string) => string,
  ): { older: number[]; newer: number[] } {
    const files = Array.from({ length: count }, (_, file) => file);
    const older = files.map((file) => read(file, file, 'then', textOf?.(file, 'then')));
    const newer = files.map((file) => read(file, 1_000 + file, 'now', textOf?.(file, 'now')));
    return { older: this.add(...older), newer: this.add(...newer) };
  }

  /** A model as good as new: another process would know nothing of an earlier outage. */
  model(kind: Kind, timeoutMs = 5_000, base = this.#server.url): Chat {
    return kind.open(base, timeoutMs);
  }

  async ask(chat: Chat, signal = never, yields = () => false): Promise<Asked | undefined> {
    const asking = { judge: judgeBy(chat, localPromptTokensMax), yields };
    return (await curate({ store: this.store, signal, report: this.report, asking })).asked;
  }

  readonly report = (message: string, fields: object): void => {
    this.reports.push(`${message} ${JSON.stringify(fields)}`);
  };

  edges(): Edge[] {
    const ids = this.store.connection.all('SELECT id FROM summaries').map((row) => Number(row.id));
    return this.store.edges.touching(ids);
  }

  marks() {
    const sql = 'SELECT attempts, verdict, lease_until FROM doubts ORDER BY from_id, to_id';
    return this.store.connection.all(sql);
  }

  /** Later, when what is held after a failed answer is free again. */
  later(): void {
    this.store.connection.run('UPDATE doubts SET lease_until = 0');
  }
}
