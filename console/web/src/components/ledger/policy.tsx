import { TriangleAlert } from 'lucide-react';
import { useRead } from '../../api/api.queries.ts';
import { useEventPath } from '../../api/event-data.ts';
import type { RefundPolicy } from '../../api/records.ts';
import { useEvent } from '../../api/unit.ts';
import { now } from '../../format/clock.ts';
import { formatDay } from '../../format/time.ts';
import { ordersText as text } from '../../text/orders.ts';
import { ErrorNote, Skeleton } from '../ui/states.tsx';
import { isOutsidePolicy } from './refund.rules.ts';

export const useRefundPolicy = () =>
  useRead<{ policy: RefundPolicy }>(`${useEventPath()}/refund-policy`);

/**
 * The policy of the event. A refund waits until it is read, and does not depend on it: it warns
 * only.
 */
export function Policy({
  data,
  isPending,
  error,
  refetch,
}: Pick<ReturnType<typeof useRefundPolicy>, 'data' | 'isPending' | 'error' | 'refetch'>) {
  const event = useEvent();
  const until = data?.policy?.refundableUntil ?? null;
  const isOutside = isOutsidePolicy(data?.policy, now());
  return (
    <aside aria-label={text.policy} aria-busy={isPending} className="rounded-md bg-subtle p-3">
      <h3 className="mb-1 font-medium">{text.policy}</h3>
      {isPending && (
        <div className="flex flex-col gap-2 py-0.5">
          <Skeleton />
          <Skeleton />
          <Skeleton className="w-1/2" />
        </div>
      )}
      {data && (
        <p className="whitespace-pre-line text-muted">{data.policy?.text ?? text.noPolicy}</p>
      )}
      {error && !data && (
        <>
          <ErrorNote error={error} onRetry={() => void refetch()} />
          <p className="mt-2 text-muted">{text.policyUnknown}</p>
        </>
      )}
      {isOutside && until && (
        <p className="mt-2 flex gap-1.5 text-amber">
          <TriangleAlert aria-hidden className="mt-0.5 size-4 shrink-0" />
          {text.outsidePolicy(formatDay(until, event.timezone))}
        </p>
      )}
    </aside>
  );
}
