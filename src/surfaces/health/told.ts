import { isObject, own, stringAt } from '../../core/event/index.ts';
import { alertRawMaxDefault } from '../../core/limits.ts';
import { conditions } from '../../service/info/index.ts';
import type { Check, Found, Looked } from './check.ts';
import { fromStore } from './from-store.ts';

/** What a running daemon alone knows of itself, in its own words: `memd info` and the page show the same. */
export const capture: Check = { ...conditions.capture, look: told('capture'), fix: null };
export const bridge: Check = { ...conditions.bridge, look: told('bridge'), fix: null };
export const retention: Check = { ...conditions.retention, look: told('retention'), fix: null };

/** Events that wait: whether they become fewer takes a daemon that has been watching. */
export const backlog: Check = { ...conditions.backlog, look: lookAtBacklog, fix: null };

function told(code: string): (subject: Looked) => Promise<Found[]> {
  return async ({ running }) => {
    const info = await running();
    const findings = info === null ? [] : (own(info, 'findings') ?? []);
    if (!Array.isArray(findings)) return [];
    return findings
      .filter(isObject)
      .filter((one) => one.code === code)
      .map((one) => ({ detail: stringAt(one, 'detail') ?? '' }));
  };
}

async function lookAtBacklog(subject: Looked): Promise<Found[]> {
  const found = await told('backlog')(subject);
  if (found.length > 0) return found;
  const raw = fromStore(subject.workspace, ({ stats }) => stats.counts().raw) ?? 0;
  if (raw <= alertRawMaxDefault) return [];
  const isRunning = (await subject.running()) !== null;
  return [
    {
      severity: 'note',
      sentence: 'many events wait to be summarised',
      detail: String(raw),
      repair: isRunning ? 'look again in ten minutes' : 'run: memd start',
    },
  ];
}
