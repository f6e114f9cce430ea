import path from 'node:path';
import { type Call, commandText } from '#reading/call';
import { movedTo } from './moves.ts';

/** The folder in which a call works, after the `cd`s at the start of its command; null when unknown. `root`: the first of its session. */
export function folderOf(call: Call, root: string | null = null): string | null {
  return leadIn(commandText(call)).reduce((place: string | null, target) => {
    // A session that began there did not go there.
    const isIn = place !== null && place !== root && isThere(place, target);
    return place === null ? target : isIn ? place : path.resolve(place, target);
  }, call.ranIn ?? call.cwd);
}

/** The same of one of its steps; `folder`: where that runs, from `call.cwd`. */
export function folderOfStep(call: Call, root: string | null, folder: string): string | null {
  const lead = leadIn(commandText(call)).reduce(movedTo, '');
  return folder === lead || call.cwd === null ? folderOf(call, root) : path.resolve(call.cwd, folder);
}

/** The folders that it enters first. */
function leadIn(command: string): readonly string[] {
  const targets: string[] = [];
  for (let rest = command; ; ) {
    const led = entered.exec(rest);
    if (led === null) return targets;
    targets.push(led[1] ?? led[2] ?? led[3] ?? '.');
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
