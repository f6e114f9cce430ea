import { Component } from 'preact';
import { Clock } from '../parts/marks.tsx';
import { plural, took, workingMs } from '../text/words.ts';
import { type Fixes, isReply, type Turn } from './model.ts';
import { Said } from './said.tsx';
import { StepRow } from './step.tsx';

const promptCharsFirst = 1_600;
const rowPx = 26;
const promptPx = 120;

interface TurnProps {
  readonly turn: Turn;
  readonly number: number;
  /** The day, where it is not the one of the turn above. */
  readonly day: string;
  readonly sessionId: string;
  readonly fixes: Fixes;
  /** The opened steps of this turn, as text, so that a change is seen. */
  readonly opened: string;
  readonly isOpen: (seq: number) => boolean;
  readonly toggle: (seq: number) => void;
  readonly goTo: (seq: number) => void;
}

/** A turn is drawn again only when something of it has changed: a session may have thousands of steps. */
export class TurnView extends Component<TurnProps> {
  override shouldComponentUpdate(next: TurnProps): boolean {
    const now = this.props;
    return next.turn.stamp !== now.turn.stamp || next.opened !== now.opened || next.number !== now.number;
  }

  render({ turn, number, day, sessionId, fixes, isOpen, toggle, goTo }: TurnProps) {
    const lastReply = turn.steps.findLast(isReply);
    return (
      <section
        class="turn-part"
        data-turn={turn.key}
        style={{ containIntrinsicSize: `auto ${promptPx + turn.steps.length * rowPx}px` }}
        aria-labelledby={`turn-${turn.key}`}
      >
        <Head turn={turn} number={number} day={day} />
        {turn.prompt !== null && <Said text={turn.prompt.title} first={promptCharsFirst} />}
        <ol class="steps">
          {turn.steps.map((step) => (
            <StepRow
              key={step.seq}
              step={step}
              sessionId={sessionId}
              fixes={fixes}
              isOpen={isOpen(step.seq)}
              isLast={step === lastReply}
              toggle={toggle}
              goTo={goTo}
            />
          ))}
        </ol>
      </section>
    );
  }
}

function Head({ turn: { key, prompt, steps }, number, day }: Pick<TurnProps, 'turn' | 'number' | 'day'>) {
  const times = [...(prompt === null ? [] : [prompt]), ...steps].map(({ ts }) => ts);
  const [first, last] = [times[0], times.at(-1)];
  const calls = steps.filter(({ kind }) => kind === 'call').length;
  const lasted = first && last ? Date.parse(last) - Date.parse(first) : 0;
  return (
    <h3 id={`turn-${key}`} class="turn-head" tabIndex={-1}>
      <span class="turn-who">{prompt === null ? 'Before the first request' : `Request ${number}`}</span>
      {day !== '' && <span class="quiet">{day}</span>}
      {first !== undefined && <Clock ts={first} />}
      {calls > 0 && <span class="quiet">{plural(calls, 'call')}</span>}
      {lasted >= 60_000 && <span class="quiet">{took(workingMs(times), lasted)}</span>}
    </h3>
  );
}
