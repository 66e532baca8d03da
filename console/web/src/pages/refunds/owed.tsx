import { CircleCheck } from 'lucide-react';
import { useCommandRead } from '../../api/api.queries.ts';
import type { OwedRefunds } from '../../api/records.ts';
import { Instant } from '../../components/ui/instant.tsx';
import { ErrorNote, Skeleton } from '../../components/ui/states.tsx';
import { Section } from '../../components/ui/surface.tsx';
import { formatMoney } from '../../format/money.ts';
import { refundsText as text } from '../../text/refunds.ts';

/**
 * What the business unit owes, whatever the list below shows. It keeps its height while it is read.
 */
export function Owed() {
  const { data, error, refetch } = useCommandRead<{ owed: OwedRefunds[] }>('refund.summary', {});
  return (
    <Section title={text.summary} className="mb-3">
      <div className="flex min-h-18 flex-wrap gap-x-10 gap-y-3">
        {!data && error && <ErrorNote error={error} onRetry={() => void refetch()} />}
        {!data && !error && <Skeleton className="w-40" />}
        {data?.owed.length === 0 && (
          <p>
            <span className="flex items-center gap-2 text-2xl leading-8 font-semibold">
              <CircleCheck aria-hidden className="size-5 text-green" />
              {text.noneOwed}
            </span>
            <span className="text-muted">{text.isNormal}</span>
          </p>
        )}
        {data?.owed.map((owed) => (
          <OwedIn key={owed.currency} owed={owed} />
        ))}
      </div>
    </Section>
  );
}

/** The sum in one currency, to how many buyers, since when, and what it waits for. */
function OwedIn({ owed }: { owed: OwedRefunds }) {
  const { currency, amount, buyers, oldestAt, dueRefunds, failedRefunds, pendingRefunds } = owed;
  const parts = [
    dueRefunds > 0 && text.parts.due(dueRefunds),
    failedRefunds > 0 && text.parts.failed(failedRefunds),
    pendingRefunds > 0 && text.parts.pending(pendingRefunds),
  ];
  return (
    <div>
      <p className="text-2xl leading-8 font-semibold tabular-nums">
        {formatMoney(amount, currency)}
      </p>
      <p>
        {text.toBuyers(dueRefunds + failedRefunds + pendingRefunds, buyers)}{' '}
        <Instant at={oldestAt} />
      </p>
      <p className="text-muted">{parts.filter(Boolean).join(', ')}</p>
    </div>
  );
}
