import type { LegReading } from './reading.ts';

/** What each leg gave, as bars on one scale: the most that a leg can give is rank 1. */
export function Bars({ legs, most }: { legs: readonly LegReading[]; most: number }) {
  return (
    <table class="bars">
      <caption class="unseen">What each leg of the search contributed</caption>
      <thead class="unseen">
        <tr>
          <th scope="col">leg</th>
          <th scope="col">rank</th>
          <th scope="col">measure</th>
          <th scope="col">contribution</th>
        </tr>
      </thead>
      <tbody>
        {legs.map((leg) => (
          <tr key={leg.key} class={leg.contribution > 0 ? '' : 'absent'}>
            <th scope="row">
              <span class={`swatch leg-${leg.key}`} aria-hidden="true" />
              {leg.name}
            </th>
            <td class="bar-rank">
              {leg.rank !== null ? `rank ${leg.rank}` : leg.contribution > 0 ? '' : 'not found'}
            </td>
            <td class="bar-measure">{leg.measure}</td>
            <td class="bar-cell">
              <span class="bar-track" aria-hidden="true">
                <span
                  class={`bar leg-${leg.key}`}
                  style={{ width: `${most > 0 ? Math.min(100, (leg.contribution / most) * 100) : 0}%` }}
                />
              </span>
              <span class="bar-value">{leg.contribution.toFixed(5)}</span>
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
