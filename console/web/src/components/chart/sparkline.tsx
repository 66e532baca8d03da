/** A line without axes, for a number that changes. The number itself stands beside it. */
export function Sparkline({ values }: { values: readonly number[] }) {
  const highest = Math.max(1, ...values);
  const step = values.length > 1 ? 100 / (values.length - 1) : 100;
  const points = values.map((value, index) => `${index * step},${28 - (26 * value) / highest}`);
  return (
    <svg aria-hidden viewBox="0 0 100 30" preserveAspectRatio="none" className="h-7 w-full">
      <polyline
        points={points.join(' ')}
        fill="none"
        stroke="currentColor"
        strokeWidth="1.5"
        vectorEffect="non-scaling-stroke"
        className="text-accent-ink"
      />
    </svg>
  );
}
