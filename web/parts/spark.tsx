/** Columns of a few values over time; the newest is on the right. */
export function Spark({ values }: { values: readonly number[] }) {
  const most = Math.max(1, ...values);
  const wide = 3;
  return (
    <svg
      class="spark"
      viewBox={`0 0 ${values.length * wide} 20`}
      preserveAspectRatio="none"
      aria-hidden="true"
    >
      {values.map((value, at) => {
        const high = value === 0 ? 1 : Math.max(2, (value / most) * 20);
        return (
          <rect
            key={at}
            class={value === 0 ? 'none' : 'some'}
            x={at * wide}
            y={20 - high}
            width={wide - 1}
            height={high}
          />
        );
      })}
    </svg>
  );
}
