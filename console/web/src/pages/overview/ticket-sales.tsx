import { useEvent } from '../../api/unit.ts';
import { SmallTable } from '../../components/list/small-table.tsx';
import { ErrorNote, Skeleton } from '../../components/ui/states.tsx';
import { Section } from '../../components/ui/surface.tsx';
import { formatCount } from '../../format/count.ts';
import { formatMoney } from '../../format/money.ts';
import { common } from '../../text/common.ts';
import { overviewText as text } from '../../text/overview.ts';
import { usePeriodName, useSalesByType } from './use-period.ts';

const words = text.saleColumns;

/** Seats and money of the chosen period per ticket type, the one with the most money first. */
export function TicketSales() {
  const event = useEvent();
  const [period] = usePeriodName();
  const { data, error, isPending, refetch } = useSalesByType();
  const rows = (data?.rows ?? []).toSorted((one, other) => other.netAmount - one.netAmount);
  const nameOf = ({ ticketTypeId, name }: (typeof rows)[number]) =>
    ticketTypeId === null ? text.addonsAndBundles : (name ?? ticketTypeId ?? common.noValue);
  const isForeign = (currency: string) => currency !== event.currency;
  return (
    <Section title={text.sales} description={text.periods[period]} isFlush>
      {error && !data ? (
        <ErrorNote error={error} onRetry={() => void refetch()} />
      ) : isPending ? (
        <Skeleton className="m-4 h-16" />
      ) : rows.length === 0 ? (
        <p className="px-4 pb-4 text-muted">{text.noSales}</p>
      ) : (
        <SmallTable
          label={text.sales}
          headers={[words.ticket, words.seats, words.refunded, words.net]}
          rows={rows.map((row) => ({
            key: `${row.ticketTypeId} ${row.currency}`,
            cells: [
              isForeign(row.currency) ? `${nameOf(row)} · ${row.currency}` : nameOf(row),
              row.seats === 0 ? common.noValue : formatCount(row.seats),
              row.refundedAmount === 0
                ? common.noValue
                : formatMoney(row.refundedAmount, row.currency),
              formatMoney(row.netAmount, row.currency),
            ],
          }))}
        />
      )}
    </Section>
  );
}
