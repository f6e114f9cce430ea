import { readScope, scopeFile } from '../../guard/boundary/index.ts';
import { conditions } from '../../service/info/index.ts';
import type { Check } from './check.ts';

/** Whether rules that the user wrote are in force. */
export const scope: Check = {
  ...conditions.scope,
  look: async ({ workspace }) => {
    const file = scopeFile(workspace.root);
    const rules = readScope(file);
    return rules.state === 'invalid' ? [{ detail: `${file}: ${rules.error}` }] : [];
  },
  fix: null,
};
