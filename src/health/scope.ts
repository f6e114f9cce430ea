import { readScope, scopeFile } from '../boundary/index.ts';
import type { Check } from './check.ts';

/** Whether rules that the user wrote are in force. */
export const scope: Check = {
  code: 'scope',
  severity: 'error',
  sentence: 'the boundary is NOT in force, assistants may write anywhere',
  repair: 'correct the file; it is strict JSON with "allow" and "deny" (docs/boundary.md)',
  look: async ({ workspace }) => {
    const file = scopeFile(workspace.root);
    const rules = readScope(file);
    return rules.state === 'invalid' ? [{ detail: `${file}: ${rules.error}` }] : [];
  },
  mend: null,
};
