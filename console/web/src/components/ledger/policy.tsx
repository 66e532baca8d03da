import { TriangleAlert } from 'lucide-react';
import type { FoundOrder } from '../../api/records.ts';
import { useEvent } from '../../api/unit.ts';
import { now } from '../../format/clock.ts';
import { formatDay } from '../../format/time.ts';
import { ordersText as text } from '../../text/orders.ts';
import { toEditedBand } from './bands.rules.ts';
import { PolicyWords } from './policy-words.tsx';
import { isOutsidePolicy } from './refund.rules.ts';

/** The policy with which an order was placed. A refund does not depend on it: it warns only. */
export function Policy({ order: { refundPolicy } }: { order: Pick<FoundOrder, 'refundPolicy'> }) {
  const event = useEvent();
  const until = refundPolicy?.refundableUntil ?? null;
  return (
    <aside aria-label={text.policy} className="rounded-md bg-subtle p-3">
      <h3 className="mb-1 font-medium">{text.policy}</h3>
      <PolicyOfOrder refundPolicy={refundPolicy} />
      {until && isOutsidePolicy(refundPolicy, now()) && (
        <p className="mt-2 flex gap-1.5 text-amber">
          <TriangleAlert aria-hidden className="mt-0.5 size-4 shrink-0" />
          {text.outsidePolicy(formatDay(until, event.timezone))}
        </p>
      )}
    </aside>
  );
}

/** What was promised to the buyer, in words. */
export const PolicyOfOrder = ({ refundPolicy }: Pick<FoundOrder, 'refundPolicy'>) =>
  refundPolicy ? (
    <PolicyWords {...refundPolicy} bands={refundPolicy.bands.map(toEditedBand)} />
  ) : (
    <p className="text-muted">{text.noPolicy}</p>
  );
