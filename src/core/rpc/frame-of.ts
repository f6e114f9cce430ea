import { frameBytesMax } from '../limits.ts';
import { FrameBudget } from './frame-bytes.ts';
import { Framer } from './framer.ts';
import { type RequestFrame, refusal } from './protocol.ts';

const lineFeed = 0x0a;
const space = 0x20;

/**
 * One request that came whole by another way, within the same bounds. A line break between its JSON tokens does not end it. Takes over
 * `bytes`. @throws Failure `bad_request`, `too_large`
 */
export function frameOf(bytes: Buffer): RequestFrame {
  for (let at = bytes.indexOf(lineFeed); at >= 0; at = bytes.indexOf(lineFeed, at)) bytes[at] = space;
  const framer = new Framer(new FrameBudget(2 * frameBytesMax));
  const [frame, ...more] = [...framer.push(bytes), ...framer.end()];
  if (frame === undefined || more.length > 0)
    throw refusal('bad_request', 'the request is not one JSON object');
  if (frame.kind === 'fatal') throw refusal(frame.code, frame.message);
  return { bytes: frame.bytes, values: frame.kind === 'request' ? frame.values : Number.POSITIVE_INFINITY };
}
