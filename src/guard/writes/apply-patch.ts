import { type CwdCandidates, plain, type Target } from '#guard/boundary';

/** The files that a patch in Codex's own format (`*** Begin Patch`) adds, updates, deletes or moves. */
export function applyPatchTargets(text: string, at: CwdCandidates): readonly Target[] {
  return text.split(/\r?\n/).flatMap((line): Target[] => {
    const [, kind, name] = /^\s*\*\*\* (Add File|Update File|Delete File|Move to): (.+)$/.exec(line) ?? [];
    return kind === undefined || name === undefined
      ? []
      : [{ kind: 'path', effect: 'write', piece: plain(name.trim()), at }];
  });
}
