import { lstatIfThere } from '../../core/platform/index.ts';
import type { Check, Found, Looked } from './check.ts';
import { fromStore } from './from-store.ts';

// A clock: times further ahead than this are not those of calls that are just being made.
const clockAheadMsMax = 10 * 60_000;
const clockGapDaysMax = 5 * 365;

/** Whether the clock agrees with what is stored: age decides what is found first, and what is kept. */
export const clock: Check = {
  code: 'clock',
  severity: 'warning',
  sentence: 'the clock is behind what is stored, or was ahead when that was stored',
  repair:
    'set the clock (Linux: sudo timedatectl set-ntp true; macOS: System Settings, Date & Time), then run: memd restart',
  look,
  fix: null,
};

async function look({ workspace }: Looked): Promise<Found[]> {
  const told = fromStore(workspace, ({ connection, retention }) => ({
    ts: [retention.newest(), connection.get('SELECT ts FROM events ORDER BY seq DESC LIMIT 1')?.ts ?? null],
    memory: connection.get('SELECT id FROM summaries ORDER BY ts DESC, id DESC LIMIT 1')?.id ?? null,
  }));
  const newest =
    (told?.ts ?? [])
      .filter((one) => typeof one === 'string')
      .sort()
      .at(-1) ?? null;
  const written = lstatIfThere(workspace.database)?.mtimeMs ?? null;
  const memory = told === null || told.memory === null ? null : Number(told.memory);
  return lookAtTimes({ nowMs: Date.now(), newest, memory, writtenMs: written });
}

export interface Times {
  readonly nowMs: number;
  /** Of the newest call, ISO 8601. */
  readonly newest: string | null;
  /** The id of the newest memory. */
  readonly memory: number | null;
  /** When the database was written last, by the file system. */
  readonly writtenMs: number | null;
}

export function lookAtTimes({ nowMs, newest, memory, writtenMs }: Times): Found[] {
  const now = new Date(nowMs).toISOString();
  const newestMs = newest === null ? Number.NaN : Date.parse(newest);
  if (newestMs > nowMs + clockAheadMsMax) {
    const wrong =
      memory === null
        ? ''
        : `; where the clock is right, whoever told of that call was wrong: mem show ${memory}, mem forget ${memory}`;
    const detail = `it is ${now} now, and the newest call is of ${newest}`;
    return [{ detail, repair: `${clock.repair}${wrong}` }];
  }
  if (writtenMs !== null && writtenMs > nowMs + clockAheadMsMax) {
    const then = new Date(writtenMs).toISOString();
    return [{ detail: `it is ${now} now, and the database was written at ${then}` }];
  }
  if (newest === null || nowMs - newestMs <= clockGapDaysMax * 86_400_000) return [];
  return [
    {
      severity: 'note',
      sentence: 'nothing has been captured for years, or the clock is far ahead',
      detail: `it is ${now} now, and the newest call is of ${newest}`,
    },
  ];
}
