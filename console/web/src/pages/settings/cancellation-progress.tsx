import type { EventCancellation } from '@event-api/contracts/operator/event-cancellation';
import { useState } from 'react';
import { useCommandRead } from '../../api/api.queries.ts';
import { useEvent, useUnit } from '../../api/unit.ts';
import { Link } from '../../components/ui/link.tsx';
import { ErrorNote, SkeletonRows } from '../../components/ui/states.tsx';
import { Facts, Section } from '../../components/ui/surface.tsx';
import { formatMoney } from '../../format/money.ts';
import { paths } from '../../format/paths.ts';
import { cancellationText as text } from '../../text/event-cancellation.ts';

const refetchMs = 2000;

/** How far the cancellation of the event is, until nothing is left. */
export function CancellationProgress() {
  const { id: eventId } = useEvent();
  const [isFinished, setFinished] = useState(false);
  const { data, error, refetch } = useCommandRead<{ cancellation: EventCancellation | null }>(
    'event.getCancellation',
    { eventId },
    isFinished ? {} : { refetchMs },
  );
  const cancellation = data?.cancellation;
  const hasFinished = cancellation?.finishedAt != null;
  if (hasFinished !== isFinished && cancellation) setFinished(hasFinished);
  return (
    <Section title={text.progress} description={cancellation ? summaryOf(cancellation) : undefined}>
      {error && !cancellation && <ErrorNote error={error} onRetry={() => void refetch()} />}
      {cancellation ? <Steps cancellation={cancellation} /> : !error && <SkeletonRows count={3} />}
    </Section>
  );
}

function summaryOf({ finishedAt, failures }: EventCancellation): string {
  if (finishedAt === null) return text.running;
  return failures.length > 0 ? text.failed : text.finished;
}

function Steps({ cancellation }: { cancellation: EventCancellation }) {
  const { registrations, openOrders, orders, refunds, problem } = cancellation;
  const steps = Object.entries({ registrations, openOrders, orders }).filter(
    ([, { total }]) => total > 0,
  );
  return (
    <div className="flex flex-col gap-4" aria-live="polite">
      {steps.map(([step, { total, left }]) => (
        <label key={step} className="flex flex-col gap-1">
          <span className="flex justify-between gap-2">
            {text.steps[step as keyof typeof text.steps]}
            <span className="text-muted">{text.ofTotal(total - left, total)}</span>
          </span>
          <progress className="w-full" max={total} value={total - left} />
        </label>
      ))}
      <Facts
        items={refunds.flatMap(({ currency, sent, pending, due }) => [
          [text.sent, formatMoney(sent, currency)] as const,
          pending > 0 ? ([text.pendingMoney, formatMoney(pending, currency)] as const) : null,
          due > 0 ? ([text.dueMoney, formatMoney(due, currency)] as const) : null,
        ])}
      />
      {problem && (
        <p className="rounded-md bg-amber-soft px-3 py-2 text-amber">
          {text.problem} {problem}
        </p>
      )}
      <Failures failures={cancellation.failures} />
    </div>
  );
}

function Failures({ failures }: Pick<EventCancellation, 'failures'>) {
  const unit = useUnit();
  const event = useEvent();
  if (failures.length === 0) return null;
  return (
    <section aria-label={text.failures}>
      <h3 className="mb-1 font-medium">{text.failures}</h3>
      <ul className="flex flex-col gap-1">
        {failures.map(({ orderId, orderNumber, amount, currency, reason }) => (
          <li key={`${orderId} ${amount}`} className="wrap-anywhere">
            <Link href={paths.order(unit.id, event.id, orderId)} className="underline">
              {orderNumber}
            </Link>{' '}
            {text.failure(formatMoney(amount, currency), reason)}
          </li>
        ))}
      </ul>
    </section>
  );
}
