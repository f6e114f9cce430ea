/** How much of a limit is used. */
export function Meter({ value, most, label }: { value: number; most: number; label: string }) {
  return (
    <span class="meter" role="img" aria-label={label} title={label}>
      <span style={{ width: `${Math.min(100, (value / most) * 100)}%` }} />
    </span>
  );
}
