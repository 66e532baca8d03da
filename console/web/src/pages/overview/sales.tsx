import { useSalesByDay } from '../../api/event-data.ts';
import { useEvent, usePermission } from '../../api/unit.ts';
import { LineChart } from '../../components/chart/line-chart.tsx';
import { ErrorNote, Skeleton } from '../../components/ui/states.tsx';
import { Section } from '../../components/ui/surface.tsx';
import { now } from '../../format/clock.ts';
import { formatCount } from '../../format/count.ts';
import { addDays, dayOf } from '../../format/time.ts';
import { overviewText } from '../../text/overview.ts';

/** Seats sold per day, beside the same days of the week before. */
export function Sales() {
  const event = useEvent();
  const today = dayOf(now(), event.timezone);
  const days = Array.from({ length: 7 }, (_, index) => addDays(today, index - 6));
  const sales = useSalesByDay(addDays(today, -13), addDays(today, 1));
  if (!usePermission('orders.list')) return null;
  const seatsOn = (day: string) =>
    sales.data?.rows.filter((row) => row.day === day).reduce((sum, { seats }) => sum + seats, 0) ??
    0;
  return (
    <Section
      title={overviewText.sales}
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
          title={overviewText.sales}
          days={days}
          format={formatCount}
          series={[
            { label: overviewText.lastWeek, values: days.map(seatsOn) },
            {
              label: overviewText.weekBefore,
              values: days.map((day) => seatsOn(addDays(day, -7))),
              isComparison: true,
            },
          ]}
        />
      )}
    </Section>
  );
}
