import { useCallback, useState } from 'react';
import { useEvent, usePermission } from '../../api/unit.ts';
import { LineChart } from '../../components/chart/line-chart.tsx';
import { Button } from '../../components/ui/button.tsx';
import { ErrorNote, Skeleton } from '../../components/ui/states.tsx';
import { Section } from '../../components/ui/surface.tsx';
import { formatCount } from '../../format/count.ts';
import { formatMoney } from '../../format/money.ts';
import { addDays } from '../../format/time.ts';
import { overviewText } from '../../text/overview.ts';
import { usePeriod } from './use-period.ts';

/** Registrations or revenue on each day of the period, beside the days before it. */
export function Days() {
  const { currency } = useEvent();
  const { period, today, registrations, sales, registrationsOn, moneyOn } = usePeriod();
  const maySeeOrders = usePermission('orders.list');
  const [isRevenue, setRevenue] = useState(false);
  // The chart is drawn again when the function is another one.
  const formatRevenue = useCallback((amount: number) => formatMoney(amount, currency), [currency]);
  const shown = isRevenue ? sales : registrations;
  const valueOn = isRevenue ? moneyOn('netAmount') : registrationsOn;
  const format = isRevenue ? formatRevenue : formatCount;
  const title = isRevenue ? overviewText.revenue : overviewText.registrations;
  const { days, daysBefore, name } = period;
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
        shown.data &&
        overviewText.todayAndYesterday(format(valueOn(today)), format(valueOn(addDays(today, -1))))
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
          format={format}
          series={[
            { label: overviewText.periods[name], values: days.map(valueOn) },
            ...(daysBefore === null
              ? []
              : [
                  {
                    label: overviewText.daysBefore(daysBefore),
                    values: days.map((day) => valueOn(addDays(day, -daysBefore))),
                    isComparison: true,
                  },
                ]),
          ]}
        />
      )}
    </Section>
  );
}
