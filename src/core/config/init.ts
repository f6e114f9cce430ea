import fs from 'node:fs';
import { readIfThere, writeWhole } from '#core/platform';
import { givenIn, loadConfig } from './load.ts';

/**
 * Writes a first `config.json` with the builtin summariser as fallback. An existing file is checked, and changed only
 * when `drain.fallback` is missing. Returns whether it was written now, and the fallback in force. @throws Failure `bad_config`
 */
export function initConfig(file: string) {
  const text = readIfThere(file);
  const { config } = loadConfig(file, {});
  if ('drain.fallback' in givenIn(file)) return { written: false, fallback: config['drain.fallback'] };
  const given: Record<string, unknown> = text === null ? {} : JSON.parse(text);
  const drain = typeof given.drain === 'object' && given.drain !== null ? given.drain : {};
  // A link to the user's file stays a link.
  const target = text === null ? file : fs.realpathSync(file);
  writeWhole(target, `${JSON.stringify({ ...given, drain: { ...drain, fallback: 'builtin' } }, null, 2)}\n`);
  return { written: true, fallback: 'builtin' };
}
