import type { Watched } from '../live.ts';
import { Copy } from '../parts/copy.tsx';
import { fullTime } from '../text/words.ts';

/** The daemon does not answer: the page stays readable and shows its time. */
export function Gone({ watched }: { watched: Watched }) {
  return (
    <div class="banner" role="alert">
      <p>
        <strong>The daemon does not answer.</strong>{' '}
        {watched.status === null
          ? 'The page has no data yet.'
          : `What you see is as of ${fullTime(new Date(watched.heardMs).toISOString())}.`}{' '}
        New captures are queued, and its next start stores them.
      </p>
      <p>
        <kbd>memd start</kbd> starts it. A new start may have a new address, which <kbd>memd web</kbd> opens.
        This page tries the old one again.
      </p>
    </div>
  );
}

/** The token is wrong or missing: nothing of the memory is shown. */
export function Locked() {
  return (
    <main class="locked" id="main">
      <div role="alert">
        <h1>This page is locked</h1>
        <p>
          Its token is not valid: it was changed, or this tab never got one. Open the page again from a
          terminal:
        </p>
        <p>
          <kbd class="command">memd web</kbd> <Copy what="command" text="memd web" />
        </p>
        <p class="quiet">
          The command gives the page a code that works once. The token itself is never part of an address.
        </p>
      </div>
    </main>
  );
}
