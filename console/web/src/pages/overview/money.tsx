import { useEvent } from '../../api/unit.ts';
import { SmallTable } from '../../components/list/small-table.tsx';
import { Skeleton } from '../../components/ui/states.tsx';
import { Section } from '../../components/ui/surface.tsx';
import { formatMoney } from '../../format/money.ts';
import { overviewText as text } from '../../text/overview.ts';
import { usePeriod } from './use-period.ts';

const words = text.moneyColumns;

/** All money of the event, one row per currency. */
export function Money() {
  const { currency } = useEvent();
  const { sales } = usePeriod();
  const totals = sales.data?.eventTotals ?? [];
  const sold = { grossAmount: 0, refundedAmount: 0, netAmount: 0 };
  const none: (typeof totals)[number] = { currency, ...sold };
  const hasDisputes = totals.some(
    ({ lostAmount = 0, disputedAmount = 0 }) => lostAmount > 0 || disputedAmount > 0,
  );
  if (sales.error && !sales.data) return null;
  return (
    <Section title={text.money} description={text.moneyText} isFlush>
      {sales.data ? (
        <SmallTable
          label={text.money}
          headers={[
            words.currency,
            words.gross,
            words.refunded,
            ...(hasDisputes ? [words.lost] : []),
            words.net,
            ...(hasDisputes ? [words.disputed] : []),
          ]}
          rows={(totals.length > 0 ? totals : [none]).map((total) => ({
            key: total.currency,
            cells: [
              total.currency,
              formatMoney(total.grossAmount, total.currency),
              formatMoney(-total.refundedAmount, total.currency),
              ...(hasDisputes ? [formatMoney(-(total.lostAmount ?? 0), total.currency)] : []),
              formatMoney(total.netAmount, total.currency),
              ...(hasDisputes ? [formatMoney(total.disputedAmount ?? 0, total.currency)] : []),
            ],
          }))}
        />
      ) : (
        <Skeleton className="m-4 h-10" />
      )}
    </Section>
  );
}
