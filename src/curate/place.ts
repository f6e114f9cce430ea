import path from 'node:path';
import type { Call } from '../summarise/index.ts';

/** The shell command of a call, or nothing. */
export function commandOf(call: Call): string {
  for (const name of ['command', 'cmd', 'script']) {
    const value = call.input[name];
    if (typeof value === 'string') return value;
    if (Array.isArray(value)) return value.filter((word) => typeof word === 'string').join(' ');
  }
  return '';
}

/** The folder a call works in, after the changes of folder that its command begins with; null when nothing tells it. */
export function placeOf(call: Call): string | null {
  let place = call.cwd;
  let rest = commandOf(call);
  for (;;) {
    const led = /^\s*cd\s+(?:"([^"]+)"|'([^']+)'|([^\s;&|"']+))\s*(?:&&|;)/.exec(rest);
    if (led === null) return place;
    const target = led[1] ?? led[2] ?? led[3] ?? '.';
    place = place === null ? target : path.resolve(place, target);
    rest = rest.slice(led[0].length);
  }
}
