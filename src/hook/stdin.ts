import fs from 'node:fs';
import { Socket } from 'node:net';
import { frameBytesMax } from '../limits.ts';
import { Failure } from '../platform/index.ts';

export interface Stdin {
  /** Settles with all of the input when it ends. @throws Failure `too_large` */
  readonly whole: Promise<string>;
  /** What has come so far. */
  soFar(): string;
}

/**
 * Standard input by the shortest way. `process.stdin` costs a hook 3 ms of its start; the socket below costs
 * nothing, since one is needed anyway. A file or a device such as `/dev/null` is read at once.
 */
export function readStdin(): Stdin {
  const chunks: Buffer[] = [];
  const soFar = (): string => Buffer.concat(chunks).toString('utf8');
  const kind = fs.fstatSync(0);
  if (!kind.isFIFO() && !kind.isSocket()) {
    if (kind.isCharacterDevice() && process.stdin.isTTY) {
      return { whole: Promise.reject(new Failure('no_input', 'stdin is a terminal')), soFar };
    }
    chunks.push(fs.readFileSync(0));
    return { whole: Promise.resolve(soFar()), soFar };
  }
  const stdin = new Socket({ fd: 0, readable: true, writable: false });
  const whole = new Promise<string>((resolve, reject) => {
    let bytes = 0;
    stdin.on('data', (chunk: Buffer) => {
      chunks.push(chunk);
      bytes += chunk.length;
      if (bytes > frameBytesMax) {
        stdin.destroy();
        reject(new Failure('too_large', `the input has more than ${frameBytesMax} bytes`));
      }
    });
    stdin.on('end', () => resolve(soFar()));
    stdin.on('error', reject);
  });
  return { whole, soFar };
}
