import { useCallback, useState } from 'react';
import { useSalesByDay } from '../../api/event-data.ts';
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

/** Seats sold or revenue per day, beside the same days of the week before. */
export function Sales() {
  const event = useEvent();
  const today = dayOf(now(), event.timezone);
  const days = Array.from({ length: 7 }, (_, index) => addDays(today, index - 6));
  const sales = useSalesByDay(addDays(today, -13), addDays(today, 1));
  const [isRevenue, setRevenue] = useState(false);
  const { currency } = event;
  // The chart is drawn again when the function is another one.
  const formatRevenue = useCallback((amount: number) => formatMoney(amount, currency), [currency]);
  if (!usePermission('orders.list')) return null;
  const seatsOn = (day: string) =>
    sales.data?.rows.filter((row) => row.day === day).reduce((sum, { seats }) => sum + seats, 0) ??
    0;
  const revenueOn = (day: string) =>
    sales.data?.rows
      .filter((row) => row.day === day && row.currency === event.currency)
      .reduce((sum, { netAmount }) => sum + netAmount, 0) ?? 0;
  const valueOn = isRevenue ? revenueOn : seatsOn;
  const title = isRevenue ? overviewText.revenue : overviewText.sales;
  return (
    <Section
      title={title}
      actions={
        <Button kind="quiet" onClick={() => setRevenue(!isRevenue)}>
          {isRevenue ? overviewText.showSeats : overviewText.showRevenue}
        </Button>
      }
      description={
        sales.data && overviewText.soldToday(seatsOn(today), seatsOn(addDays(today, -1)))
      }
    >
      {sales.error ? (
        <ErrorNote error={sales.error} onRetry={() => void sales.refetch()} />
      ) : sales.isPending ? (
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
