import path from 'node:path';
import { type Call, commandText } from '../call/index.ts';

/** The folder in which a call works, after the `cd`s at the start of its command; null when unknown. `root`: the first of its session. */
export function folderOf(call: Call, root: string | null = null): string | null {
  let place = call.ranIn ?? call.cwd;
  let rest = commandText(call);
  for (;;) {
    const led = entered.exec(rest);
    if (led === null) return place;
    const target = led[1] ?? led[2] ?? led[3] ?? '.';
    // A session that began there did not go there.
    const isIn = place !== null && place !== root && isThere(place, target);
    place = place === null ? target : isIn ? place : path.resolve(place, target);
    rest = rest.slice(led[0].length);
  }
}

const entered =
  /^\s*(?:set [-+][^;&|\n]*(?:&&|;|\n)\s*)?(?:cd|pushd|(?:Push|Set)-Location)\s+(?:"([^"]+)"|'([^']+)'|([^\s;&|"']+))\s*(?:&&|;|\n)/;

/** Some clients record the folder in which a command ended: the one that it went to. */
function isThere(place: string, target: string): boolean {
  const way = path.normalize(target).replace(/\/$/, '');
  return !path.isAbsolute(way) && /^[^.]/.test(way) && place.endsWith(`/${way}`);
}
