import fs from 'node:fs';
import path from 'node:path';
import { isObject, type JsonObject, own, stringAt } from '#core/event';
import type { Home } from '../support/home.ts';
import { imagesOf } from './daemon.ts';
import { nameIn } from './load.ts';
import type { Random } from './random.ts';

const sectorBytes = 512;

/**
 * Plays a power loss on the log: of every sector that no sync has settled, the old or the new content is left, and the
 * file ends anywhere between its old end and its new one. What was synced under a durable name is left as it is.
 */
export function losePower(home: Home, random: Random): void {
  const { log } = home.workspace();
  const image = path.join(imagesOf(home), path.basename(log));
  const isUnbound = fs.existsSync(`${image}.unbound`);
  const old = fs.existsSync(image) ? fs.readFileSync(image) : null;
  const now = fs.existsSync(log) ? fs.readFileSync(log) : null;
  if (isUnbound || old === null || now === null) {
    // The name itself was not settled: the one file, the other, or none.
    if (old === null && now !== null && isUnbound && random.chance(0.5)) fs.rmSync(log);
    else if (old !== null && random.chance(0.5)) fs.writeFileSync(log, old);
  } else {
    fs.writeFileSync(log, between(old, now, random));
  }
  settle(home);
}

/** From here on the disk holds what the file holds. */
export function settle(home: Home): void {
  fs.rmSync(imagesOf(home), { recursive: true, force: true });
  fs.mkdirSync(imagesOf(home), { recursive: true });
}

function between(old: Buffer, now: Buffer, random: Random): Buffer {
  const [short, long] = [Math.min(old.length, now.length), Math.max(old.length, now.length)];
  const length = random.one([old.length, now.length, random.whole(short, long)]);
  const left = Buffer.alloc(length);
  const favour = random.one([0, 0.5, 1]);
  for (let at = 0; at < length; at += sectorBytes) {
    const source = random.chance(favour) ? now : old;
    // Behind its end a file that has grown holds zeros.
    source.subarray(at, at + sectorBytes).copy(left, at);
  }
  return left;
}

/** Flips a byte of the log. Answers the calls whose lines it may have cost. */
export function flipByte(home: Home, random: Random): string[] {
  const { log } = home.workspace();
  const bytes = fs.existsSync(log) ? fs.readFileSync(log) : Buffer.alloc(0);
  if (bytes.length === 0) return [];
  const at = random.whole(0, bytes.length - 1);
  const start = bytes.lastIndexOf(10, at - 1) + 1;
  // A changed newline joins two lines.
  const from = bytes[at] === 10 ? at + 1 : at;
  const newline = bytes.indexOf(10, from);
  const lines = bytes.subarray(start, newline === -1 ? bytes.length : newline).toString('utf8');
  bytes[at] = (bytes[at] ?? 0) ^ random.whole(1, 255);
  fs.writeFileSync(log, bytes);
  settle(home);
  return lines.split('\n').flatMap(callsOf);
}

function callsOf(line: string): string[] {
  let record: JsonObject;
  try {
    record = JSON.parse(line);
  } catch {
    // Torn already: it holds nothing that was acknowledged.
    return [];
  }
  const event = own(record, 'event');
  // A hook's prompt has no id of its own: its text names it.
  const text = isObject(event) ? stringAt(event, 'output') : undefined;
  return text === undefined ? [] : [nameIn(text)];
}
