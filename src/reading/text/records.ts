import { isObject, type Json, type JsonObject, own, parseObject } from '#core/event';
import { oneLine } from './lines.ts';

export interface Output {
  readonly text: string;
  /** One JSON object per line: a log or a listing. */
  readonly isRecords: boolean;
}

/**
 * An output without the prefixes of a CI service, and with one JSON object per line as plain lines: `error: message
 * key=value`. A single object stays as it is.
 */
export function readableOutput(text: string): Output {
  const plain = withoutStamps(text);
  if (!recordLike.test(plain)) return { text: plain, isRecords: false };
  const lines = plain.split('\n');
  const shown = lines.map(recordLine);
  const records = shown.filter((line) => line !== null).length;
  // Other lines may be what a script printed before its program began to log.
  if (records < 2 || 2 * records < lines.filter((line) => line.trim() !== '').length)
    return { text: plain, isRecords: false };
  return { text: shown.map((line, at) => line ?? lines[at] ?? '').join('\n'), isRecords: true };
}

/** A line that may be a JSON object. The class of blanks excludes line ends, so that the time stays linear. */
const recordLike = /^[^\S\n\r\u2028\u2029]*\{.*\}[^\S\n\r\u2028\u2029]*$/m;

/** `gh run view --log` begins each line with job, step and time; the raw log of a job with the time. */
function withoutStamps(text: string): string {
  if (!/\d{4}-\d\d-\d\dT/.test(text)) return text;
  return text.replace(
    /^(?:[^\t\n]{1,120}\t[^\t\n]{0,120}\t)?\ufeff?\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3,9}Z ?(##\[(?:error|warning)\])?/gm,
    (_, severity: string | undefined) => (severity === undefined ? '' : `${severity.slice(3, -1)}: `),
  );
}

/** The text of one JSON object, or null when `line` is not one. */
function recordLine(line: string): string | null {
  const trimmed = line.trim();
  if (!trimmed.startsWith('{') || !trimmed.endsWith('}')) return null;
  const record = parseObject(trimmed);
  return record === null ? null : recordText(record);
}

function recordText(record: JsonObject): string {
  const said = messageKeys.map((key) => own(record, key)).find((value) => typeof value === 'string');
  const severity = severityOf(levelKeys.map((key) => own(record, key)).find((value) => value !== undefined));
  const fields = Object.entries(record).filter(([key]) => !skipped.has(key));
  const isFirst = ([key]: readonly [string, Json]): boolean => firstKeys.has(key);
  const further = [...fields.filter(isFirst), ...fields.filter((field) => !isFirst(field))];
  const words = [
    ...(typeof said === 'string' ? [said] : []),
    ...further.flatMap(([key, value]) => fieldsOf(key, value)),
  ];
  return `${severity}${oneLine(words.join(' '), 1_000)}`;
}

const messageKeys = ['msg', 'message', 'event'];
const levelKeys = ['level', 'severity', 'lvl', 'levelname'];
/** Shown elsewhere, or the same in each line of a log. */
const skipped = new Set([
  ...messageKeys,
  ...levelKeys,
  ...'time ts timestamp @timestamp pid hostname v reqId requestId trace_id span_id'.split(' '),
]);

/** Keys shown first. */
const firstKeys = new Set(
  'name title summary status state conclusion type err error reason path file line body text'.split(' '),
);

/** A field as `key=value` or `key “some words”`. An object gives its own fields. */
function fieldsOf(key: string, value: Json): string[] {
  if (isObject(value)) {
    return Object.entries(value).flatMap(([name, item]) => (isObject(item) ? [] : fieldsOf(name, item)));
  }
  if (typeof value === 'string') {
    if (value.trim() === '' || (/(?:^id|_id|Id|ID|uuid|Uuid)$/.test(key) && value.length > 16)) return [];
    const shown = oneLine(value, fieldCharsMax);
    return [/\s/.test(shown) ? `${key} “${shown}”` : `${key}=${shown}`];
  }
  return typeof value === 'number' || typeof value === 'boolean' ? [`${key}=${value}`] : [];
}

const fieldCharsMax = 120;

/** `error: `, `warning: ` or nothing. Pino and bunyan use 40 for a warning and 50 for an error. */
function severityOf(level: Json | undefined): string {
  if (typeof level === 'number') return level >= 50 ? 'error: ' : level >= 40 ? 'warning: ' : '';
  if (typeof level !== 'string') return '';
  if (/^(?:err|error|fatal|crit|critical|alert|emerg|emergency|panic)$/i.test(level)) return 'error: ';
  return /^warn(?:ing)?$/i.test(level) ? 'warning: ' : '';
}
