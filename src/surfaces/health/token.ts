import { lstatIfThere, readIfThere, removeIfThere } from '../../core/platform/index.ts';
import { isToken } from '../../service/bridge/index.ts';
import type { Check } from './check.ts';

/** Whether the bridge's token file holds a token; its mode, owner and kind are `modes`' to look at. */
export const token: Check = {
  code: 'token',
  severity: 'warning',
  sentence: "the page's token file holds no token, so the web bridge does not start",
  repair: 'run: memd doctor --fix, which removes it; the next start makes a new one',
  look: async ({ workspace: { token: file } }) => {
    const stat = lstatIfThere(file);
    const isOurs = stat?.isFile() === true && stat.uid === process.getuid?.() && (stat.mode & 0o400) !== 0;
    return !isOurs || isToken(readIfThere(file) ?? '') ? [] : [{ detail: file }];
  },
  fix: {
    needsStop: true,
    does: 'it was removed; the next start makes a new one',
    run: async ({ workspace }) => removeIfThere(workspace.token),
  },
};
