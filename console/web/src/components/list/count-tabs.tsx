import { formatCount } from '../../format/count.ts';
import { classes } from '../ui/classes.ts';

export interface CountTab<Value extends string> {
  /** Undefined for all rows. */
  value: Value | undefined;
  label: string;
  /** Undefined while it is not known. */
  count: number | undefined;
}

/** A filter with the number of rows of each value. */
export const CountTabs = <Value extends string>({
  label,
  tabs,
  value,
  onChange,
}: {
  label: string;
  tabs: readonly CountTab<Value>[];
  value: string | undefined;
  onChange: (value: Value | undefined) => void;
}) => (
  <fieldset
    aria-label={label}
    className="mb-3 flex w-full min-w-0 gap-x-1 overflow-x-auto border-b border-line"
  >
    {tabs.map((tab) => (
      <button
        key={tab.label}
        type="button"
        aria-pressed={tab.value === value}
        className={classes(
          '-mb-px flex min-h-9 items-center gap-1.5 border-b-2 px-3 whitespace-nowrap touch:min-h-11',
          tab.value === value
            ? 'border-accent font-medium text-accent-ink'
            : 'border-transparent text-muted hover:text-ink',
        )}
        onClick={() => onChange(tab.value)}
      >
        {tab.label}
        {tab.count !== undefined && (
          <span className="text-xs tabular-nums">{formatCount(tab.count)}</span>
        )}
      </button>
    ))}
  </fieldset>
);
