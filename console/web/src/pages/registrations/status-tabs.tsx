import type { Registration, RegistrationCounts } from '../../api/records.ts';
import { FilterChip } from '../../components/list/filters.tsx';
import { classes } from '../../components/ui/classes.ts';
import { useIsPhone } from '../../components/ui/use-media.ts';
import { formatCount } from '../../format/count.ts';
import { common } from '../../text/common.ts';
import { registrationListText as text } from '../../text/registration-list.ts';
import { statuses } from './use-registration-list.ts';

/** The filter by status, with the number of people of each. On a phone it is a list of choices. */
export function StatusTabs({
  value,
  counts,
  everybody,
  onChange,
}: {
  value: string | undefined;
  /** Undefined while they are not known. */
  counts: RegistrationCounts['statuses'] | undefined;
  everybody: number | undefined;
  onChange: (status: string | undefined) => void;
}) {
  const isPhone = useIsPhone();
  const countOf = (status: Registration['status']) => counts?.[status];
  if (isPhone) {
    const choices = statuses.map(({ value: status, label }) => {
      const count = countOf(status);
      return {
        value: status,
        label: count === undefined ? label : `${label} (${formatCount(count)})`,
      };
    });
    return <FilterChip label={common.status} value={value} choices={choices} onChange={onChange} />;
  }
  const tabs = [
    { value: undefined, label: text.all, count: everybody },
    ...statuses.map((status) => ({ ...status, count: countOf(status.value) })),
  ];
  return (
    <fieldset
      aria-label={text.counts}
      className="mb-3 flex w-full flex-wrap gap-x-1 border-b border-line"
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
}
