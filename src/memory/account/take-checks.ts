import { type Call, familyOf } from '#reading/call';
import type { CheckHistory } from '#reading/checks';
import { changesIn } from '#reading/edits';
import { subjectsOf } from '#reading/subjects';

/** Takes the checks of a call into a history, and what the call removes of the tests. */
export function takeChecks<R>(history: CheckHistory<R>, call: Call, root: string | null, run: () => R): void {
  history.take(call, root, run);
  if (call.result.failed || history.open().length === 0) return;
  if (familyOf(call) === 'edit') {
    for (const { path, kind, hunks } of changesIn(call)) {
      if (kind === 'deleted') history.removed(path);
      else
        history.rewrote(
          hunks.flatMap(({ removed }) => removed).join('\n'),
          hunks.flatMap(({ added }) => added).join('\n'),
        );
    }
  } else
    for (const { kind, name, outcome } of subjectsOf(call))
      if (kind === 'file' && outcome === 'removed') history.removed(name);
}
