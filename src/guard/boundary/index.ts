/**
 * Decides whether a tool may write a path, by the rules of `.memd/scope.json` files.
 * It promises: `deny` wins over `allow`; the real path decides, whatever links, `..`, case or normal form spell it; the scope
 * file protects itself; no state of the disk makes it throw or wait.
 * It does not know tools, shells or clients (see `writes/`). It cannot see hard links, nor what changes after its check.
 */

export { denialSentence } from './denial-sentence.ts';
export { type Explained, explain } from './explain.ts';
export { writeFirstScope } from './first-scope.ts';
export { compileGlob, isCostly } from './glob.ts';
export { judge } from './judge.ts';
export { patchNames } from './patch-names.ts';
export { withoutScheme } from './real-path.ts';
export { readScope, type Scope } from './scope.ts';
export { findScopeContext, repositoryTop, type ScopeContext, scopeFile } from './scope-context.ts';
export { type CwdCandidates, type Effect, type Piece, patternOrName, plain, type Target } from './target.ts';
export { patternLookUp } from './trees.ts';
export { hasUnread, isAnywhere, nameOf, resolveUnread, unread, withoutBraces } from './unread.ts';
