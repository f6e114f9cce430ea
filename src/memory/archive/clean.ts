import { clientNames } from '../../assistants/table/index.ts';
import { redact, redactObservation, redactText } from '../../capture/redact/index.ts';
import {
  type ClientName,
  cutToLimits,
  isObject,
  type Json,
  type JsonObject,
  own,
} from '../../core/event/index.ts';
import type { ArchiveRow } from '../store/index.ts';

/**
 * A row without secrets and within limits, as if it were captured now: the file may come from anywhere, or from an older memd
 * with fewer rules. Ids stay, since they identify duplicates; a row whose id holds a secret is refused.
 */
export function clean(
  row: ArchiveRow,
): { readonly row: ArchiveRow; readonly redactions: number } | { readonly reason: string } {
  if (idsOf(row).some((id) => !ownId.test(id) && redactText(id).redactions > 0)) {
    return { reason: 'an id that holds a secret' };
  }
  const counted = new Counted();
  return { row: cleaned(row, counted), redactions: counted.redactions };
}

/** An id that memd made: a hash. */
const ownId = /^(?:ev|pr)_[0-9a-f]{24}$/;

function idsOf(row: ArchiveRow): readonly string[] {
  switch (row.type) {
    case 'summary':
      return [row.eventId];
    case 'edge':
      return [row.from, row.to];
    case 'digest':
      return row.lastEvent === null ? [] : [row.lastEvent];
    case 'event':
    case 'prompt':
    case 'forgotten':
      return [row.id];
  }
}

/** Counts what it redacts. */
class Counted {
  redactions = 0;

  text(text: string): string {
    const clean = redactText(text);
    this.redactions += clean.redactions;
    return clean.text;
  }
}

/** The texts of a row that anybody may have written. */
const textsOf: { readonly [Type in ArchiveRow['type']]: readonly string[] } = {
  event: ['sessionId', 'tool', 'toolUseId', 'lastError'],
  summary: ['text', 'terms', 'model'],
  edge: ['evidence'],
  prompt: ['sessionId', 'text'],
  digest: ['sessionId', 'text', 'terms', 'model'],
  forgotten: [],
};

function cleaned(row: ArchiveRow, counted: Counted): ArchiveRow {
  const names = new Set([...textsOf[row.type], 'author', 'device', 'pinnedBy']);
  const texts = Object.entries(row).flatMap(([name, text]) =>
    names.has(name) && typeof text === 'string' ? [[name, counted.text(text)]] : [],
  );
  const payload = row.type === 'event' && { payloadJson: cleanPayload(row.payloadJson, counted) };
  return { ...row, ...Object.fromEntries(texts), ...payload };
}

function cleanPayload(payloadJson: string, counted: Counted): string {
  let payload: Json;
  try {
    payload = JSON.parse(payloadJson);
  } catch {
    // Not JSON: redacted as a text.
    return counted.text(payloadJson);
  }
  const observation = isObject(payload) ? observationIn(payload) : null;
  if (!isObject(payload) || observation === null) {
    const { value, redactions } = redact(payload);
    counted.redactions += redactions;
    return redactions === 0 ? payloadJson : JSON.stringify(value);
  }
  const { value, redactions } = redactObservation(observation);
  const { tool, input, output, sessionId, toolUseId, cwd } = cutToLimits(value);
  const texts = { tool, input, output, sessionId, toolUseId, cwd };
  // Other keys, which another program may have added.
  const otherEntries = Object.entries(payload).filter(([key]) => !Object.hasOwn(texts, key));
  const others = redact(Object.fromEntries(otherEntries));
  counted.redactions += redactions + others.redactions;
  // The keys keep their order, so that an unchanged payload stays the same text.
  const rest = others.redactions > 0 && isObject(others.value) ? others.value : payload;
  return JSON.stringify({ ...rest, ...texts });
}

/** The payload as an observation, or null if it has another shape. */
function observationIn(payload: JsonObject) {
  const [tool, sessionId, ts] = [own(payload, 'tool'), own(payload, 'sessionId'), own(payload, 'ts')];
  const [input, output, isError] = [own(payload, 'input'), own(payload, 'output'), own(payload, 'isError')];
  const [toolUseId, cwd] = [own(payload, 'toolUseId'), own(payload, 'cwd')];
  if (typeof tool !== 'string' || typeof sessionId !== 'string' || typeof ts !== 'string') return null;
  if (input === undefined || output === undefined || typeof isError !== 'boolean') return null;
  if (!isTextOrNull(toolUseId) || !isTextOrNull(cwd)) return null;
  const client: ClientName = clientNames.find((name) => name === own(payload, 'client')) ?? 'unknown';
  return { tool, input, output, sessionId, toolUseId, ts, client, isError, cwd };
}

function isTextOrNull(value: Json | undefined): value is string | null {
  return typeof value === 'string' || value === null;
}
