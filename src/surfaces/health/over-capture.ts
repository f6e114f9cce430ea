import { payloadCharsAverageMax } from '../../core/limits.ts';
import type { Check, Found, Looked } from './check.ts';
import { fromStore } from './from-store.ts';
import { bytesOf, size } from './words.ts';

const youngDatabaseBytesMax = 1024 * 1024 * 1024;
const youngDays = 365;
// The average is that of the last calls: what is captured now, at the cost of reading so many payloads.
const overCaptureSampleRows = 2_000;

/** Whether more is captured than a memory has use for (spec 8). */
export const overCapture: Check = {
  code: 'over-capture',
  severity: 'warning',
  sentence: 'more is captured than a memory has use for',
  repair:
    'have the tool return less, or lower retention.payloadDays and retention.databaseMiB (docs/operations.md, "Room")',
  look,
  fix: null,
};

export interface Captured {
  readonly tool: string;
  readonly calls: number;
  /** Of all their payloads. */
  readonly chars: number;
}

async function look({ workspace }: Looked): Promise<Found[]> {
  const found = fromStore(workspace, ({ connection }) => ({
    tools: connection
      .all(
        `SELECT tool, count(*) AS calls, sum(length(payload_json)) AS chars
          FROM (SELECT tool, payload_json FROM events ORDER BY seq DESC LIMIT ?) GROUP BY tool`,
        overCaptureSampleRows,
      )
      .map(({ tool, calls, chars }) => ({ tool: String(tool), calls: Number(calls), chars: Number(chars) })),
    oldest: connection.get('SELECT ts FROM events ORDER BY seq LIMIT 1')?.ts ?? null,
  }));
  if (found === null) return [];
  const { oldest } = found;
  const ageDays = typeof oldest === 'string' ? (Date.now() - Date.parse(oldest)) / 86_400_000 : 0;
  return [...lookAtPayloads(found.tools), ...lookAtSize(bytesOf(workspace.database), ageDays)];
}

export function lookAtPayloads(tools: readonly Captured[]): Found[] {
  const sum = (key: 'calls' | 'chars'): number => tools.reduce((total, one) => total + one[key], 0);
  const average = Math.round(sum('chars') / Math.max(1, sum('calls')));
  if (average <= payloadCharsAverageMax) return [];
  const [most] = [...tools].sort((a, b) => b.chars - a.chars);
  const share = Math.round((100 * (most?.chars ?? 0)) / sum('chars'));
  return [
    {
      detail: `${average} characters a call on the average of the last ${sum('calls')}, ${share} % of them from ${most?.tool}`,
    },
  ];
}

export function lookAtSize(bytes: number, ageDays: number): Found[] {
  if (bytes <= youngDatabaseBytesMax || ageDays >= youngDays) return [];
  return [{ detail: `the database holds ${size(bytes)} after ${Math.max(0, Math.round(ageDays))} days` }];
}
