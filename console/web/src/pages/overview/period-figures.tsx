import { useEvent, usePermission } from '../../api/unit.ts';
import { Button } from '../../components/ui/button.tsx';
import { FigureValue } from '../../components/ui/figure-value.tsx';
import { Section } from '../../components/ui/surface.tsx';
import { formatCount } from '../../format/count.ts';
import { formatMoney } from '../../format/money.ts';
import { formatDay } from '../../format/time.ts';
import { overviewText as text } from '../../text/overview.ts';
import { compare, percentOf, periods } from './period.rules.ts';
import { usePeriod, usePeriodName } from './use-period.ts';

/** What came in during the chosen period, compared with the one before. */
export function PeriodFigures() {
  const { currency } = useEvent();
  const maySeeOrders = usePermission('orders.list');
  const { period, registrations, sales, registrationsOn, moneyOn } = usePeriod();
  const formatAmount = (amount: number) => formatMoney(amount, currency);
  const [first] = period.days;
  const since = period.name === 'all' && first !== undefined;
  return (
    <Section
      title={text.period}
      className="mt-4"
      description={since ? text.since(formatDay(first, 'UTC')) : text.againstBefore[period.name]}
      actions={<PeriodChoice />}
    >
      <dl className="grid grid-cols-2 gap-x-6 gap-y-3 lg:grid-cols-4">
        <PeriodFigure
          label={text.sums.registrations}
          read={registrations}
          format={formatCount}
          {...compare(period, registrationsOn)}
        />
        {maySeeOrders &&
          (['grossAmount', 'refundedAmount', 'netAmount'] as const).map((amount) => (
            <PeriodFigure
              key={amount}
              label={text.sums[amount]}
              read={sales}
              format={formatAmount}
              {...compare(period, moneyOn(amount))}
            />
          ))}
      </dl>
    </Section>
  );
}

function PeriodChoice() {
  const [name, choose] = usePeriodName();
  return (
    <fieldset aria-label={text.period} className="flex flex-wrap gap-1">
      {periods.map((each) => (
        <Button
          key={each}
          kind={each === name ? 'secondary' : 'quiet'}
          aria-pressed={each === name}
          onClick={() => choose(each)}
        >
          {text.periods[each]}
        </Button>
      ))}
    </fieldset>
  );
}

function PeriodFigure({
  label,
  sum,
  before,
  read,
  format,
}: {
  label: string;
  sum: number;
  before: number | null;
  read: { data?: unknown; isError: boolean };
  format: (value: number) => string;
}) {
  const isRead = read.data !== undefined;
  const percent = percentOf(sum, before);
  return (
    <div>
      <dt className="text-xs text-muted">{label}</dt>
      <dd data-period-figure={label}>
        <span className="block h-7 text-xl font-semibold tabular-nums">
          <FigureValue
            value={isRead ? format(sum) : undefined}
            isMissing={read.isError}
            className="mt-1.5 w-20"
          />
        </span>
        {isRead && before !== null && (
          <span className="text-muted">
            {text.before(format(before))}
            {percent !== null && ` (${text.percent(percent)})`}
          </span>
        )}
      </dd>
    </div>
  );
}
