import { parseObject, stringAt } from '#core/event';
import { indexText, passagesOf } from '#reading/terms';
import { messageIn } from '../tables/message-columns.ts';

/**
 * The rows of the lexical index. A call and a digest have one, with their own id. A message has one for each passage of its text: the
 * first with the message's id, the others above `furtherRows`, so that the id of every row's memory is found without a table.
 */
export const furtherRows = 2 ** 40;

/** Of a message. The longest stored text has 53 of usual size. */
export const passagesMax = 64;

/** The id of the memory that an index row belongs to. */
export function memoryOf(row: number): number {
  return row < furtherRows ? row : Math.floor((row - furtherRows) / passagesMax);
}

/** The index row of a memory's `n`th passage, from 0. */
export function rowOf(id: number, n: number): number {
  return n === 0 ? id : furtherRows + id * passagesMax + n;
}

/** In SQL, for the id of a row in the lexical index. */
export const memoryOfSql = (row: string): string =>
  `CASE WHEN ${row} < ${furtherRows} THEN ${row} ELSE (${row} - ${furtherRows}) / ${passagesMax} END`;

/** Removes all rows of memory `id` from the index, an id or an SQL expression. */
export const unindexSql = (id: string): string => `DELETE FROM summaries_fts WHERE rowid = ${id};
  DELETE FROM summaries_fts
    WHERE rowid BETWEEN ${furtherRows} + ${id} * ${passagesMax} AND ${furtherRows} + ${id} * ${passagesMax} + ${passagesMax - 1};`;

/** `summaries.terms` of a summary that search does not find by itself: no index entry, no vector. */
export const notIndexed = '-';

/** The index rows of a summary: a call's words; of a message the passages of its whole text; none with the mark `notIndexed`. */
export function indexRows(
  id: number,
  words: { readonly text: string; readonly terms: string },
  payloadJson: string | null,
) {
  if (words.terms === notIndexed) return [];
  const passages = payloadJson === null ? null : passagesIn(payloadJson);
  if (passages === null) return [{ row: id, text: indexText(words.text), terms: indexText(words.terms) }];
  if (passages.length === 0) return [{ row: id, text: indexText(words.text), terms: '' }];
  return passages.map((passage, n) => ({ row: rowOf(id, n), text: indexText(passage), terms: '' }));
}

/** The passages of a message; null for a call. */
export function passagesIn(payloadJson: string): string[] | null {
  const said = saidIn(payloadJson);
  return said === null ? null : passagesOf(said, passagesMax);
}

/** The text of a message; null for a call. */
export function saidIn(payloadJson: string): string | null {
  // A quick look first: an index of 100,000 calls is filled without parsing them.
  if (!payloadJson.includes('"message"')) return null;
  const payload = parseObject(payloadJson);
  if (payload === undefined || payload === null || messageIn(payload) === undefined) return null;
  return stringAt(payload, 'output') ?? '';
}
