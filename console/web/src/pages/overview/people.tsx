import { useRead } from '../../api/api.queries.ts';
import { useAvailabilities, useEventPath, useTicketTypes } from '../../api/event-data.ts';
import type { Registration } from '../../api/records.ts';
import { useEvent, useUnit } from '../../api/unit.ts';
import { FigureValue } from '../../components/ui/figure-value.tsx';
import { Link } from '../../components/ui/link.tsx';
import { Section } from '../../components/ui/surface.tsx';
import { formatCount } from '../../format/count.ts';
import { paths } from '../../format/paths.ts';
import { overviewText as text } from '../../text/overview.ts';
import { statusText } from '../../text/status.ts';

const counted = 100;

/** How many people there are of each status that can still change, each with a link to them. */
export function People() {
  const unit = useUnit();
  const event = useEvent();
  const types = useTicketTypes();
  const seats = [...useAvailabilities(types.data?.ticketTypes ?? []).values()];
  const pending = useRead<{ registrations: Registration[]; nextCursor: string | null }>(
    `${useEventPath()}/registrations`,
    { status: 'pending', limit: counted },
  );
  const isRead = types.data !== undefined && seats.every((each) => each);
  const isMissing = types.isError || seats.includes(null);
  const sum = (field: 'confirmed' | 'waitlisted') =>
    isRead
      ? formatCount(seats.reduce((total, each) => total + (each?.[field] ?? 0), 0))
      : undefined;
  const waiting = pending.data
    ? `${formatCount(pending.data.registrations.length)}${pending.data.nextCursor ? '+' : ''}`
    : undefined;
  const rows = [
    ['confirmed', sum('confirmed'), isMissing],
    ['pending', waiting, pending.isError],
    ['waitlisted', sum('waitlisted'), isMissing],
  ] as const;
  return (
    <Section title={text.people}>
      <ul className="-mx-2 flex flex-col">
        {rows.map(([status, count, isUnknown]) => (
          <li key={status}>
            <Link
              href={paths.eventPage(unit.id, event.id, 'registrations')}
              search={{ status }}
              className="flex min-h-8 items-center justify-between gap-2 rounded-md px-2 hover:bg-hover touch:min-h-11"
            >
              {statusText.registration[status]}
              <span className="tabular-nums">
                <FigureValue value={count} isMissing={isUnknown} className="w-8" />
              </span>
            </Link>
          </li>
        ))}
      </ul>
    </Section>
  );
}
