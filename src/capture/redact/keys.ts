import { redactBlockCharsMax } from '../../core/limits.ts';
import { isMostlyKey, keyLinesOf, linesAbove, linesBelow } from './key-lines.ts';
import { ranks, type Scanner } from './rule.ts';

/**
 * Private keys in PEM (RFC 7468), OpenSSH, PGP, SSH2 and PuTTY files. Between or next to the markers, every line
 * with a run of base64 belongs to the key, whatever prefix it has.
 */
export const privateKeys: Scanner = {
  keywords: [
    ...['-', '- ', '–', '– ', '—', '— '].flatMap((dash) => [`${dash}begin `, `${dash}end `]),
    'private-lines:',
  ],
  begin(text, add, notes) {
    let coveredUpTo = 0;
    // The end of the last marker: a later one looks back only to here, so that no part is read twice.
    let floor = 0;
    const found = (start: number, end: number) => {
      add({ start, end, kind: 'private-key', rank: ranks.block });
      coveredUpTo = Math.max(coveredUpTo, end);
    };
    const below = (marker: Marker) => {
      const limit = Math.min(text.length, marker.end + redactBlockCharsMax);
      const next = nextMarker(text, marker.end, limit);
      const isClosed = next?.isKey === true && !next.opens;
      const lines = keyLinesOf(
        text,
        marker.end,
        next?.start ?? limit,
        next === undefined ? ['first'] : ['first', 'last'],
      );
      if (isClosed && isMostlyKey(lines, text.slice(marker.end, next.start))) {
        found(marker.start, next.end);
        return;
      }
      const [first, ...others] = linesBelow(lines);
      if (first !== undefined) found(marker.start, first.end);
      for (const one of others) found(one.start, one.end);
      if (!isClosed) notes.hasLooseEnd = true;
    };
    const above = (marker: Marker) => {
      const from = Math.max(floor, coveredUpTo, marker.start - redactBlockCharsMax);
      const { spans, reachesEnd } = linesAbove(keyLinesOf(text, from, marker.start, ['last']));
      for (const [at, one] of spans.entries()) {
        found(one.start, reachesEnd && at === spans.length - 1 ? marker.end : one.end);
      }
      notes.hasLooseEnd = true;
    };
    return (keyword) => {
      let start = keyword;
      while (isDash(text, keyword) && keyword - start < dashesMax && isDash(text, start - 1)) start--;
      if (start < coveredUpTo) return;
      const marker = markerAt(text, start);
      if (marker?.isKey === true) {
        notes.isPrefixed = true;
        if (marker.opens) below(marker);
        else above(marker);
      }
      floor = marker?.end ?? floor;
    };
  },
};

interface Marker {
  readonly start: number;
  readonly end: number;
  readonly opens: boolean;
  /** False for a certificate or another block. */
  readonly isKey: boolean;
}

// `--word-diff` marks changed words: `-----BEGIN [-RSA-]{+EC+} PRIVATE KEY-----`.
const marker =
  /[-–—]{2,5} ?(BEGIN|END) ([^\n\\"'`]{0,80}?(?:PRIVATE[^\n\\"'`]{0,30}?KEY(?: BLOCK)?|OpenVPN Static key V1)[^\nA-Za-z0-9\\"'`]{0,12})?|Private-Lines: ?\d{1,4}/iy;
/** Before the one in the keyword; one more is the sign of a diff. */
const dashesMax = 4;

function isDash(text: string, at: number): boolean {
  return '-–—'.includes(text.charAt(at)) && at >= 0;
}

function markerAt(text: string, start: number): Marker | undefined {
  marker.lastIndex = start;
  const match = marker.exec(text);
  if (match === null) return undefined;
  const [, word, key] = match;
  return {
    start,
    end: marker.lastIndex,
    opens: word?.toUpperCase() !== 'END',
    isKey: word === undefined || key !== undefined,
  };
}

/** Markers of any block. */
const anyMarker = /[-–—]{2,5} ?(?:BEGIN|END) |Private-Lines: ?\d/gi;

function nextMarker(text: string, from: number, limit: number): Marker | undefined {
  anyMarker.lastIndex = 0;
  const match = anyMarker.exec(text.slice(from, limit));
  return match === null ? undefined : markerAt(text, from + match.index);
}
