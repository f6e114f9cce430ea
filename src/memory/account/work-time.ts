import { addStretch, isObject, own } from '#core/event';
import { type Call, commandText, familyOf, numberAt, startedTask } from '#reading/call';
import { commandRun } from '#reading/checks';
import { onlyLooks } from '#reading/shell';
import { planShown } from '#reading/subjects';

const minute = 60_000;
/** What takes no time of its own waits, if not for the model, for a person who allows it. */
const quickMs = 5 * minute;
const usualMs = 15 * minute;
/** Of an agent, which may say nothing until it ends. */
const agentMs = 60 * minute;

/** The time that a session worked, without its pauses. */
export class WorkTime {
  readonly stretches: [number, number][] = [];
  /** Work in the background wakes the assistant. */
  #isAwaiting = false;

  call(ts: string, call: Call): void {
    this.until(ts, longestOf(call));
    this.#isAwaiting ||= call.result.running && startedTask(call) !== null;
  }

  /** `isTyped`: by a person, before whom any time is a pause. */
  message(ts: string, isTyped: boolean, isOfAgent: boolean): void {
    this.until(ts, isTyped ? 0 : isOfAgent || this.#isAwaiting ? agentMs : usualMs);
    this.#isAwaiting &&= !isTyped;
  }

  /** It worked up to an event, if the time before that is shorter than `longest`. */
  until(ts: string, longest = usualMs): void {
    const ms = Date.parse(ts);
    const before = this.stretches.at(-1)?.[1] ?? ms;
    const isWork = ms - before < longest;
    addStretch(this.stretches, [isWork ? Math.min(before, ms) : ms, ms], !isWork);
  }
}

/** The longest time that a call may have taken: the rest of a longer one was a person's. */
function longestOf(call: Call): number {
  const family = familyOf(call);
  if (family === 'question' || planShown(call) !== null || call.result.refused) return 0;
  if (family === 'agent') {
    const took = isObject(call.output) ? own(call.output, 'totalDurationMs') : null;
    return typeof took === 'number' ? took + quickMs : agentMs;
  }
  if (family === 'other') return usualMs;
  if (family !== 'command') return quickMs;
  const limit = numberAt(call.input, 'timeout', 'timeout_ms');
  if (limit !== null) return (limit < 1_000 ? limit * 1_000 : limit) + quickMs;
  const { programs } = commandRun(call).shell;
  const isLook = programs.length > 0 && onlyLooks(programs);
  return isLook && !/\b(?:sleep|wait|watch)\b/i.test(commandText(call)) ? quickMs : usualMs;
}
