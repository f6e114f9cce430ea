import type { Watched } from '../live.ts';
import { fullTime } from '../text/words.ts';

/** Nobody answers: the page stays readable, and says from when it is. */
export function Gone({ watched }: { watched: Watched }) {
  return (
    <div class="banner" role="alert">
      <p>
        <strong>The daemon does not answer.</strong>{' '}
        {watched.status === null
          ? 'Nothing could be read yet.'
          : `What you see is as of ${fullTime(new Date(watched.heardMs).toISOString())}.`}{' '}
        What is captured meanwhile is kept aside for its next start.
      </p>
      <p>
        <kbd>memd start</kbd> starts it; <kbd>memd web</kbd> opens its page, which may have a new address.
        This page keeps trying.
      </p>
    </div>
  );
}

/** The token no longer fits, or there is none: nothing of the memory is shown. */
export function Locked() {
  return (
    <main class="locked" id="main">
      <div role="alert">
        <h1>This page is locked</h1>
        <p>
          Its token no longer fits: it was made anew, or was never given to this tab. Open the page again from
          a terminal:
        </p>
        <p>
          <kbd class="command">memd web</kbd>
        </p>
        <p class="quiet">
          The command hands the page a code that works once. The token itself is never part of an address.
        </p>
      </div>
    </main>
  );
}
