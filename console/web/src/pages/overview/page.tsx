import { useLive } from '../../api/live.ts';
import { useEvent, usePermission } from '../../api/unit.ts';
import { EventStatus } from '../../components/event/event-status.tsx';
import { CopyText } from '../../components/ui/copy.tsx';
import { LiveDot } from '../../components/ui/live-dot.tsx';
import { PageHeader } from '../../components/ui/surface.tsx';
import { formatDays } from '../../format/time.ts';
import { detailText } from '../../text/detail.ts';
import { Attention } from './attention.tsx';
import { Checklist } from './checklist.tsx';
import { Days } from './days.tsx';
import { Figures } from './figures.tsx';
import { Goal } from './goal.tsx';
import { Money } from './money.tsx';
import { People } from './people.tsx';
import { PeriodFigures } from './period-figures.tsx';
import { Seats } from './seats.tsx';
import { TicketSales } from './ticket-sales.tsx';

/**
 * An event at a glance. Before it is published, nothing has happened in it: a checklist stands in
 * place of the figures.
 */
export function OverviewPage() {
  const event = useEvent();
  const live = useLive();
  const dates = event.startsAt ? formatDays(event.startsAt, event.endsAt, event.timezone) : null;
  return (
    <>
      <PageHeader
        title={event.name}
        badge={<EventStatus event={event} />}
        description={
          <>
            {dates && `${dates} · `}
            {event.timezone} · {event.currency}{' '}
            <CopyText text={event.id} label={detailText.copyId} />
          </>
        }
        actions={<LiveDot {...live} />}
      />
      {event.status === 'draft' ? <Checklist /> : <Glance />}
    </>
  );
}

function Glance() {
  const maySeeOrders = usePermission('orders.list');
  const mayReadPeople = usePermission('people.read');
  return (
    <>
      <Figures />
      <PeriodFigures />
      <div className="mt-4 grid items-start gap-4 lg:grid-cols-[1.4fr_1fr]">
        <div className="flex min-w-0 flex-col gap-4">
          <Days />
          {maySeeOrders && <TicketSales />}
          <Seats />
        </div>
        <div className="flex min-w-0 flex-col gap-4 max-lg:order-first">
          <Attention />
          <Goal />
          {mayReadPeople && <People />}
          {maySeeOrders && <Money />}
        </div>
      </div>
    </>
  );
}
