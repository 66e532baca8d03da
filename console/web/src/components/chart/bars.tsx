import { classes } from '../ui/classes.ts';

export interface BarPart {
  label: string;
  value: number;
  color: string;
}

/**
 * One horizontal bar of parts that add up to `total`. The numbers stand beside it, so the bar is
 * decoration.
 */
export function StackedBar({ parts, total }: { parts: readonly BarPart[]; total: number }) {
  return (
    <span aria-hidden className="flex h-2 w-full overflow-hidden rounded-full bg-hover">
      {parts.map(({ label, value, color }) => (
        <span
          key={label}
          className={classes('h-full', color)}
          style={{ width: `${total > 0 ? Math.min(100, (100 * value) / total) : 0}%` }}
        />
      ))}
    </span>
  );
}
