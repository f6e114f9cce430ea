import fs from 'node:fs';
import path from 'node:path';
import { assistants } from '#assistants/table';
import type { ClientName } from '#core/event';
import { orElse } from '#core/platform';
import type { Environment } from '#core/workspace';

const bytesMax = 4 * 1_048_576;
/** Our hook, or the plugin that brings it. */
const ours = /capture-observation|"memd(?:@[^"]*)?"\s*:\s*true/;

/** The assistants whose settings run our hook. `memd doctor` says whether it is the right one. */
export function connectedIn(env: Environment): ClientName[] {
  return assistants.flatMap(({ name, install }) =>
    install !== undefined && ours.test(textOf(path.join(install.folder(env), install.hooks.file)))
      ? [name]
      : [],
  );
}

function textOf(file: string): string {
  // Missing, or not accessible.
  return orElse(() => {
    const stat = fs.statSync(file);
    return stat.isFile() && stat.size <= bytesMax ? fs.readFileSync(file, 'utf8') : '';
  }, '');
}
