import { useEffect, useState } from 'preact/hooks';
import { paneOf, watchScroll } from '../parts/return.ts';
import type { SessionAccount } from '../shapes.ts';
import { oneLine } from '../text/cut.ts';
import { numberOf, type Turn } from './model.ts';
import { Inline } from './said.tsx';

const wordsMax = 90;
const fewest = 3;

interface OutlineProps {
  readonly turns: readonly Turn[];
  /** The prompts that ask for something, in the words that ask. */
  readonly requests: SessionAccount['requests'];
  readonly goTo: (seq: number) => void;
}

/** The requests in the margin, where a window has room for them; the one that is read stands out. */
export function Outline({ turns, requests, goTo }: OutlineProps) {
  const asked = turns.flatMap((turn, at) =>
    turn.prompt === null ? [] : [{ turn, at, prompt: turn.prompt }],
  );
  const now = useReadTurn(turns);
  const words = new Map(requests.map(({ seq, text }) => [seq, text]));
  if (asked.length < fewest) return <div />;
  return (
    <nav class="outline no-print" aria-label="Requests of the session">
      <ol>
        {asked.map(({ turn, at, prompt }) => (
          <li key={turn.key} value={numberOf(turns, at)}>
            <button
              type="button"
              class="plain"
              aria-current={turn.key === now ? 'true' : undefined}
              onClick={() => goTo(turn.key)}
              dir="auto"
            >
              <Inline text={oneLine(words.get(prompt.seq) ?? prompt.title, wordsMax)} />
            </button>
          </li>
        ))}
      </ol>
    </nav>
  );
}

/** The key of the turn at the upper edge of the window; null above the first. */
function useReadTurn(turns: readonly Turn[]): number | null {
  const [now, setNow] = useState<number | null>(null);
  useEffect(() => {
    const column = document.querySelector('.session-column');
    const pane = paneOf(column);
    if (column === null || pane === null) return;
    const look = (): void => {
      const edge = window.innerHeight / 3;
      const above = [...column.querySelectorAll<HTMLElement>('[data-turn]')].findLast(
        (part) => part.getBoundingClientRect().top < edge,
      );
      setNow(above === undefined ? null : Number(above.dataset.turn));
    };
    look();
    return watchScroll(pane, look);
  }, [turns]);
  return now;
}
