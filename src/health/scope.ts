import { readScope, scopeFile } from '../boundary/index.ts';
import { conditions } from '../info/index.ts';
import type { Check } from './check.ts';

/** Whether rules that the user wrote are in force. */
export const scope: Check = {
  ...conditions.scope,
  look: async ({ workspace }) => {
    const file = scopeFile(workspace.root);
    const rules = readScope(file);
    return rules.state === 'invalid' ? [{ detail: `${file}: ${rules.error}` }] : [];
  },
  mend: null,
};
