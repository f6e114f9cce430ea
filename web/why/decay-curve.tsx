import type { Why } from '../shapes.ts';
import { ageInWords } from '../text/words.ts';
import { type DecaySettings, decayAt, floorOf } from './reading.ts';

const wide = 320;
const high = 104;
const left = 34;
const right = 12;
const top = 14;
const bottom = 22;
/** Room for the word at the beginning. */
const nowPx = 44;

/** How a score fades with age, and where this hit stands on that. */
export function DecayCurve({ decay, settings }: { decay: Why['decay']; settings: DecaySettings }) {
  const { halfLifeDays } = settings;
  const floor = floorOf(decay, settings);
  const spanDays = Math.max(halfLifeDays * 4, decay.ageDays * 1.15, 1);
  const low = Math.max(0, Math.min(floor, decay.factor) - 0.05);
  const x = (days: number): number => left + (days / spanDays) * (wide - left - right);
  const y = (factor: number): number =>
    top + ((1 - factor) / Math.max(0.01, 1 - low)) * (high - top - bottom);
  const points = Array.from({ length: 61 }, (_, at) => {
    const days = (at / 60) * spanDays;
    return `${x(days).toFixed(1)},${y(decayAt(days, { halfLifeDays, floor })).toFixed(1)}`;
  });
  const here = { x: x(decay.ageDays), y: y(decay.factor) };
  const isRight = here.x > wide * 0.6;
  const said = decay.pinned
    ? 'Pinned: the decay does not apply, the factor is 1.'
    : `Decay with a half-life of ${halfLifeDays} days down to ${floor}. This hit is ${ageInWords(decay.ageDays)} old: factor ${decay.factor.toFixed(4)}.`;
  return (
    <svg class="curve" viewBox={`0 0 ${wide} ${high}`} role="img" aria-label={said}>
      <line class="axis" x1={left} x2={wide - right} y1={y(low)} y2={y(low)} />
      <line class="floor" x1={left} x2={wide - right} y1={y(floor)} y2={y(floor)} />
      {halfLifeDays > 0 && (
        <line class="floor" x1={x(halfLifeDays)} x2={x(halfLifeDays)} y1={top} y2={y(low)} />
      )}
      <polyline class={decay.pinned ? 'course is-off' : 'course'} points={points.join(' ')} />
      {decay.pinned && <line class="course" x1={left} x2={wide - right} y1={y(1)} y2={y(1)} />}
      <line class="drop" x1={here.x} x2={here.x} y1={here.y} y2={y(low)} />
      <circle class="here" cx={here.x} cy={here.y} r="4.5" />
      <text
        class="here-name"
        x={here.x + (isRight ? -9 : 9)}
        y={here.y - 5}
        text-anchor={isRight ? 'end' : 'start'}
      >
        × {decay.factor.toFixed(3)}
      </text>
      <text x={left - 6} y={y(1) + 3} text-anchor="end">
        1
      </text>
      <text x={left - 6} y={y(floor) + 3} text-anchor="end">
        {floor}
      </text>
      <text x={left} y={high - 6}>
        now
      </text>
      {x(halfLifeDays) - left > nowPx && (
        <text x={x(halfLifeDays)} y={high - 6} text-anchor="middle">
          {halfLifeDays} d
        </text>
      )}
      <text x={wide - right} y={high - 6} text-anchor="end">
        {Math.round(spanDays)} d
      </text>
    </svg>
  );
}
