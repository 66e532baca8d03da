import type { Registration, RegistrationCounts } from '../../api/records.ts';
import { CountTabs } from '../../components/list/count-tabs.tsx';
import { FilterChip } from '../../components/list/filters.tsx';
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
  return <CountTabs label={text.counts} tabs={tabs} value={value} onChange={onChange} />;
}
