import type { Why } from '../shapes.ts';
import { factorsOf, legsOf, scoreOf, sumOf } from './reading.ts';

/** The sum and what is left of it, as two bars of one scale, and the same as a line of figures that one can check. */
export function Fusion({ why }: { why: Why }) {
  const legs = legsOf(why).filter(({ contribution }) => contribution > 0);
  const factors = factorsOf(why);
  const sum = sumOf(legs);
  const scale = Math.max(sum, why.rrf.score);
  const share = (value: number): string => `${scale > 0 ? (value / scale) * 100 : 0}%`;
  const isExact = Math.abs(scoreOf(why) - why.rrf.score) < 1e-9;
  return (
    <div class="fusion">
      <div class="fusion-bars" aria-hidden="true">
        <span class="fusion-name">sum</span>
        <span class="fusion-bar">
          {legs.map(({ key, contribution }) => (
            <span key={key} class={`leg-${key}`} style={{ width: share(contribution) }} />
          ))}
        </span>
        <span class="fusion-name">score</span>
        <span class="fusion-bar">
          <span class="fusion-score" style={{ width: share(why.rrf.score) }} />
          {sum > why.rrf.score && <span class="fusion-lost" style={{ width: share(sum - why.rrf.score) }} />}
        </span>
      </div>
      <p class="equation">
        <span class="operand">
          (
          {legs.length === 0
            ? '0'
            : legs.map(({ key, name, contribution }, at) => (
                <>
                  {at > 0 && ' + '}
                  <span key={key} class={`term leg-${key}`} title={name}>
                    {contribution.toFixed(5)}
                  </span>
                </>
              ))}
          )
        </span>
        {factors.map(({ name, value }) => (
          <span key={name} class="operand">
            {' × '}
            {value.toFixed(4)} <small>{name}</small>
          </span>
        ))}
        <span class="operand result">
          {isExact ? ' = ' : ' ≈ '}
          <b>{why.rrf.score.toFixed(5)}</b>
        </span>
      </p>
    </div>
  );
}
