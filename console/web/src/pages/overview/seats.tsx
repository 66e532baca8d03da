import { useAvailabilities, useTicketTypes } from '../../api/event-data.ts';
import type { Availability, TicketType } from '../../api/records.ts';
import { StackedBar } from '../../components/chart/bars.tsx';
import { StatusBadge } from '../../components/ui/badge.tsx';
import { ErrorNote, Skeleton } from '../../components/ui/states.tsx';
import { Section } from '../../components/ui/surface.tsx';
import { formatCount } from '../../format/count.ts';
import { common } from '../../text/common.ts';
import { overviewText } from '../../text/overview.ts';

const words = overviewText.seatParts;

/** One bar per ticket type: confirmed, held, free. */
export function Seats() {
  const types = useTicketTypes();
  const visible = (types.data?.ticketTypes ?? []).filter(({ status }) => status !== 'archived');
  const seats = useAvailabilities(visible);
  return (
    <Section
      title={overviewText.seats}
      actions={
        <span className="flex gap-3 text-xs text-muted">
          <Legend color="bg-accent" label={words.confirmed} />
          <Legend color="bg-amber" label={words.held} />
          <Legend color="bg-hover border border-edge/60" label={words.free} />
        </span>
      }
    >
      {types.error ? (
        <ErrorNote error={types.error} onRetry={() => void types.refetch()} />
      ) : types.isPending ? (
        <Skeleton className="h-24" />
      ) : visible.length === 0 ? (
        <p className="text-muted">{overviewText.noTickets}</p>
      ) : (
        <ul className="flex flex-col gap-3">
          {visible.map((type) => (
            <SeatRow key={type.id} type={type} seats={seats.get(type.id)} />
          ))}
        </ul>
      )}
    </Section>
  );
}

function Legend({ color, label }: { color: string; label: string }) {
  return (
    <span className="inline-flex items-center gap-1.5">
      <span aria-hidden className={`size-2.5 rounded-full ${color}`} />
      {label}
    </span>
  );
}

function SeatRow({ type, seats }: { type: TicketType; seats: Availability | null | undefined }) {
  const { confirmed = type.counts.confirmed, held = 0 } = seats ?? {};
  const total = type.capacity ?? confirmed + held;
  const capacity = type.capacity === null ? common.unlimited : formatCount(type.capacity);
  return (
    <li>
      <div className="mb-1 flex flex-wrap items-center justify-between gap-x-2">
        <span className="flex items-center gap-2">
          {type.name}
          {type.status !== 'open' && <StatusBadge kind="sale" status={type.status} />}
        </span>
        <span className="text-muted">
          {formatCount(confirmed)}
          {held > 0 && ` + ${formatCount(held)}`} / {capacity}
        </span>
      </div>
      <StackedBar
        total={total}
        parts={[
          { label: words.confirmed, value: confirmed, color: 'bg-accent' },
          { label: words.held, value: held, color: 'bg-amber' },
        ]}
      />
    </li>
  );
}
