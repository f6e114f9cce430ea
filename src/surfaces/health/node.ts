import { isOlder } from '../../core/version.ts';
import type { Check, Found } from './check.ts';

/** `engines` in package.json. */
const oldestNode = '20.12.0';

/** Whether this Node is one that memd is made for. */
export const node: Check = {
  code: 'node',
  severity: 'error',
  sentence: 'this Node is older than memd needs',
  repair: `install Node ${oldestNode} or later, then run: memd restart`,
  look: async () => lookAtNode(process.versions.node),
  fix: null,
};

export function lookAtNode(version: string): Found[] {
  return isOlder(version, oldestNode) === true ? [{ detail: `${version}, not ${oldestNode}` }] : [];
}
