import { useFold } from '../parts/fold.tsx';
import type { SessionAccount } from '../shapes.ts';
import { plural } from '../text/words.ts';
import { mainRequests } from './model.ts';
import { Inline } from './said.tsx';

interface RequestsProps {
  readonly requests: SessionAccount['requests'];
  /** The request in whose middle it ended, and the last words. */
  readonly during: SessionAccount['ended']['during'];
  /** The reply of the session's outcome: what is said there is not said twice. */
  readonly outcome: number | null;
  readonly goTo: (seq: number) => void;
}

/** What was asked, a line each, with what was done for it. */
export function Requests({ requests, during: [at, words], outcome, goTo }: RequestsProps) {
  const first = mainRequests(requests);
  const [shown, more] = useFold(requests, first, () => `Show all ${requests.length} requests`);
  return (
    <>
      <ol class="requests">
        {shown.map(({ seq, text, turns, calls, files, says }) => (
          <li key={seq}>
            <button type="button" class="plain" onClick={() => goTo(seq)} dir="auto">
              <Inline text={text} />
            </button>
            <span class="quiet">
              {calls > 0 && (
                <span
                  class="calls"
                  title={turns > 1 ? `with ${plural(turns - 1, 'answer')} like “yes”` : undefined}
                >
                  {plural(calls, 'call') + (turns > 1 ? ` in ${turns} turns` : '') + (files > 0 ? ', ' : '')}
                </span>
              )}
              {files > 0 && plural(files, 'file')}
            </span>
            {seq === at?.seq && (
              <p class="says quiet" dir="auto">
                <span class="flag ending-unfinished">ended during it</span>{' '}
                <Inline text={words?.text ?? ''} />
              </p>
            )}
            {files > 0 && says !== null && says.seq !== outcome && says.seq !== words?.seq && (
              <p class="says quiet" dir="auto">
                <Inline text={says.text} />
              </p>
            )}
          </li>
        ))}
      </ol>
      {more}
    </>
  );
}
