import { redactBlockCharsMax } from '#core/limits';
import { matchAt, type Range, ranks, type Scanner } from '#redact/form';
import { isMostlyKey, keyLinesOf, linesAbove, linesBelow } from './key-lines.ts';

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
    // The end of the last marker: a later one looks back only to here, so that no part is read twice.
    let floor = 0;
    let coveredUpTo = 0;
    const found = ({ start }: Range, { end }: Range) => {
      add({ start, end, kind: 'private-key', rank: ranks.block });
      coveredUpTo = Math.max(coveredUpTo, end);
    };
    const below = (marker: Marker) => {
      const limit = Math.min(text.length, marker.end + redactBlockCharsMax);
      const next = nextMarker(text, marker.end, limit);
      const isClosed = next?.isKey === true && !next.opens;
      const ends = next === undefined ? (['first'] as const) : (['first', 'last'] as const);
      const lines = keyLinesOf(text, marker.end, next?.start ?? limit, ends);
      if (isClosed && isMostlyKey(lines, text.slice(marker.end, next.start))) {
        found(marker, next);
        return;
      }
      const [first, ...others] = linesBelow(lines);
      if (first !== undefined) found(marker, first);
      for (const one of others) found(one, one);
      if (!isClosed) notes.hasLooseEnd = true;
    };
    const above = (marker: Marker) => {
      const from = Math.max(floor, coveredUpTo, marker.start - redactBlockCharsMax);
      const { spans, reachesEnd } = linesAbove(keyLinesOf(text, from, marker.start, ['last']));
      for (const one of spans) found(one, reachesEnd && one === spans.at(-1) ? marker : one);
      notes.hasLooseEnd = true;
    };
    return (keyword) => {
      let start = keyword;
      while (isDash(text, keyword) && keyword - start < dashesMax && isDash(text, start - 1)) start--;
      if (start < coveredUpTo) return 0;
      const marker = markerAt(text, start);
      if (marker?.isKey === true) {
        notes.isPrefixed = true;
        if (marker.opens) below(marker);
        else above(marker);
      }
      floor = marker?.end ?? floor;
      return 0;
    };
  },
};

interface Marker extends Range {
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
  const match = matchAt(marker, text, start);
  if (match === null) return undefined;
  const [whole, word, key] = match;
  const isKey = word === undefined || key !== undefined;
  return { start, end: start + whole.length, opens: word?.toUpperCase() !== 'END', isKey };
}

function nextMarker(text: string, from: number, limit: number): Marker | undefined {
  const at = text.slice(from, limit).search(anyMarker);
  return at === -1 ? undefined : markerAt(text, from + at);
}

/** Markers of any block. */
const anyMarker = /[-–—]{2,5} ?(?:BEGIN|END) |Private-Lines: ?\d/i;
