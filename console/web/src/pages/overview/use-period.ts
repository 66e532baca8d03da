import { useCommandRead } from '../../api/api.queries.ts';
import { type SalesSummary, useRegistrationsByDay, useSalesByDay } from '../../api/event-data.ts';
import { useEvent, usePermission } from '../../api/unit.ts';
import { useSearchState } from '../../components/ui/use-search-state.ts';
import { now } from '../../format/clock.ts';
import { dayOf } from '../../format/time.ts';
import { overviewText } from '../../text/overview.ts';
import { type Period, type PeriodName, periods, periodUntil } from './period.rules.ts';

const forms = {
  period: periods.map((value) => ({ value, label: overviewText.periods[value] })),
} as const;

/** The chosen period, which is in the address, and how to choose another one. */
export function usePeriodName(): [PeriodName, (name: PeriodName) => void] {
  const [{ period }, setSearch] = useSearchState(forms);
  const name = periods.find((each) => each === period) ?? '7';
  return [name, (next) => setSearch({ period: next === '7' ? undefined : next })];
}

/** What happened on each day of the chosen period and of the one before. */
export function usePeriod() {
  const { timezone, currency } = useEvent();
  const [name] = usePeriodName();
  const today = dayOf(now(), timezone);
  const { readFrom, to } = periodUntil(today, name, null);
  const registrations = useRegistrationsByDay(readFrom, to);
  const sales = useSalesByDay(readFrom, to);
  const registrationsOn = (day: string) =>
    registrations.data?.days.find((each) => each.day === day)?.registrations ?? 0;
  const moneyOn = (amount: 'grossAmount' | 'refundedAmount' | 'netAmount') => (day: string) =>
    sales.data?.rows
      .filter((row) => row.day === day && row.currency === currency)
      .reduce((sum, row) => sum + row[amount], 0) ?? 0;
  const first = [
    registrations.data?.days.find((each) => each.registrations > 0)?.day,
    sales.data?.rows[0]?.day,
  ].flatMap((day) => day ?? []);
  const period: Period = periodUntil(today, name, first.toSorted()[0] ?? null);
  return { period, today, registrations, sales, registrationsOn, moneyOn };
}

/** Sales of the chosen period per ticket type. */
export function useSalesByType() {
  const event = useEvent();
  const { period } = usePeriod();
  const from = period.name === 'all' ? period.readFrom : period.days[0];
  return useCommandRead<SalesSummary>(
    'sales.summary',
    { eventId: event.id, from, to: period.to, by: 'ticketType' },
    { isEnabled: usePermission('orders.list') },
  );
}
