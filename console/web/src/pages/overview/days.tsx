import { useCallback, useState } from 'react';
import { useRegistrationsByDay, useSalesByDay } from '../../api/event-data.ts';
import { useEvent, usePermission } from '../../api/unit.ts';
import { LineChart } from '../../components/chart/line-chart.tsx';
import { Button } from '../../components/ui/button.tsx';
import { ErrorNote, Skeleton } from '../../components/ui/states.tsx';
import { Section } from '../../components/ui/surface.tsx';
import { now } from '../../format/clock.ts';
import { formatCount } from '../../format/count.ts';
import { formatMoney } from '../../format/money.ts';
import { addDays, dayOf } from '../../format/time.ts';
import { overviewText } from '../../text/overview.ts';

/** Registrations or revenue per day, beside the same days of the week before. */
export function Days() {
  const { timezone, currency } = useEvent();
  const today = dayOf(now(), timezone);
  const days = Array.from({ length: 7 }, (_, index) => addDays(today, index - 6));
  const [from, to] = [addDays(today, -13), addDays(today, 1)];
  const registrations = useRegistrationsByDay(from, to);
  const sales = useSalesByDay(from, to);
  const maySeeOrders = usePermission('orders.list');
  const [isRevenue, setRevenue] = useState(false);
  // The chart is drawn again when the function is another one.
  const formatRevenue = useCallback((amount: number) => formatMoney(amount, currency), [currency]);
  const registrationsOn = (day: string) =>
    registrations.data?.days.find((each) => each.day === day)?.registrations ?? 0;
  const revenueOn = (day: string) =>
    sales.data?.rows
      .filter((row) => row.day === day && row.currency === currency)
      .reduce((sum, { netAmount }) => sum + netAmount, 0) ?? 0;
  const shown = isRevenue ? sales : registrations;
  const valueOn = isRevenue ? revenueOn : registrationsOn;
  const title = isRevenue ? overviewText.revenue : overviewText.registrations;
  return (
    <Section
      title={title}
      actions={
        maySeeOrders && (
          <Button kind="quiet" onClick={() => setRevenue(!isRevenue)}>
            {isRevenue ? overviewText.showRegistrations : overviewText.showRevenue}
          </Button>
        )
      }
      description={
        registrations.data &&
        overviewText.registeredToday(registrationsOn(today), registrationsOn(addDays(today, -1)))
      }
    >
      {shown.error ? (
        <ErrorNote error={shown.error} onRetry={() => void shown.refetch()} />
      ) : shown.isPending ? (
        <Skeleton className="h-52" />
      ) : (
        <LineChart
          title={title}
          days={days}
          format={isRevenue ? formatRevenue : formatCount}
          series={[
            { label: overviewText.lastWeek, values: days.map(valueOn) },
            {
              label: overviewText.weekBefore,
              values: days.map((day) => valueOn(addDays(day, -7))),
              isComparison: true,
            },
          ]}
        />
      )}
    </Section>
  );
}
