/**
 * May this tool write here? The rules of a project's `.memd/scope.json` and what they say about real paths.
 * Promises: `deny` before `allow`; `..`, links at any level, names that are not there yet, case and normal form change no
 * answer; the scope file guards itself; no state of the disk makes it throw or wait.
 * Does not know tools, shells or clients (see `writes/`), and cannot see hard links nor what changes after it looked.
 */
export { type Explained, explain } from './explain.ts';
export { writeFirstScope } from './first-scope.ts';
export { judge } from './judge.ts';
export { patchNames } from './patch-names.ts';
export { findScopeContext, repositoryTop, type ScopeContext, scopeFile } from './place.ts';
export { readScope, type Scope } from './scope.ts';
export { type CwdCandidates, type Effect, type Piece, patternOrName, plain, type Target } from './target.ts';
export { denialSentence } from './told.ts';
export { patternLookUp } from './trees.ts';
export { hasUnread, isAnywhere, nameOf, placeWithUnread, unread } from './unread.ts';
