import { useState } from 'preact/hooks';
import { Plain } from '../parts/plain.tsx';
import { plural } from '../text/words.ts';
import { mainRequests, type Request } from './model.ts';

interface RequestsProps {
  readonly requests: readonly Request[];
  /** While more is read, the last request is not known. */
  readonly isWhole: boolean;
  readonly goTo: (seq: number) => void;
}

/** What was asked, a line each, with what was done for it. */
export function Requests({ requests, isWhole, goTo }: RequestsProps) {
  const [isOpen, setOpen] = useState(false);
  const shown = isOpen ? requests : mainRequests(requests, isWhole);
  const hidden = requests.length - shown.length;
  return (
    <>
      <ol class="requests">
        {shown.map(({ seq, text, calls, files }) => (
          <li key={seq}>
            <button type="button" class="plain" onClick={() => goTo(seq)} dir="auto">
              <Plain text={text} />
            </button>
            {calls > 0 && <span class="quiet calls">{plural(calls, 'call')}</span>}
            {files > 0 && <span class="quiet">{plural(files, 'file')}</span>}
          </li>
        ))}
      </ol>
      {hidden > 0 && isWhole && (
        <button type="button" class="plain" onClick={() => setOpen(true)}>
          Show all {requests.length} requests
        </button>
      )}
    </>
  );
}
