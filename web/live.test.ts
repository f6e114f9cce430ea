import { expect, test } from 'vitest';
import { refreshed, type Watched } from './live.ts';
import type { Status } from './shapes.ts';

function statusWith(events: number, focus: string): Status {
  return {
    version: '1.2.3',
    workspace: { key: 'mill-0123456789ab', root: '/mill', namespace: 'default' },
    daemon: { reachable: true, pid: 1, uptimeSec: 1 },
    findings: [],
    connected: [],
    counts: {
      ...{ events, messages: 0, raw: 0, summarized: events, skipped: 0 },
      ...{ summaries: events, embeddings: events },
    },
    recorded: [],
    bytes: 0,
    messages: true,
    backends: { drain: 'builtin', drainError: null, drainHint: null, embedder: 'builtin' },
    http: null,
    search: null,
    focus,
    scope: { state: 'off' },
    usage: [],
    budget: null,
    counters: null,
    receipts: null,
    warnings: [],
  };
}

function watching(status: Status, link: Watched['link']): Watched {
  return { link, status, heardMs: 1, askedMs: 1, samples: [] };
}

test('a status that was put together before the stream spoke last brings no old figures back', () => {
  const { status } = refreshed(watching(statusWith(8, 'wheat'), 'live'), statusWith(7, 'rye'));
  expect([status?.counts.events, status?.focus]).toEqual([8, 'rye']);
});

test('without a stream the status has the figures', () => {
  const before = watching(statusWith(8, 'wheat'), 'polling');
  expect(refreshed(before, statusWith(7, 'rye'))).toBe(before);
});
