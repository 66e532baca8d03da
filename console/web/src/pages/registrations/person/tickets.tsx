import { useCommandRead, useRead } from '../../../api/api.queries.ts';
import type { Event, FoundRegistration, Registration, TicketType } from '../../../api/records.ts';
import { useUnit } from '../../../api/unit.ts';
import { StatusBadge } from '../../../components/ui/badge.tsx';
import { Instant } from '../../../components/ui/instant.tsx';
import { TextLink } from '../../../components/ui/link.tsx';
import { ErrorNote } from '../../../components/ui/states.tsx';
import { Section } from '../../../components/ui/surface.tsx';
import { paths } from '../../../format/paths.ts';
import { common } from '../../../text/common.ts';
import { registrationsText as text } from '../../../text/registrations.ts';

/**
 * All tickets of a person in the events of the unit, newest first. A person with one ticket has no
 * such list.
 */
export function PersonTickets({ id, email }: { id: string; email: string }) {
  const { data, error, refetch } = useCommandRead<{ registrations: FoundRegistration[] }>(
    'registration.find',
    { email },
  );
  if (error && !data) return <ErrorNote error={error} onRetry={() => void refetch()} />;
  const tickets = data?.registrations ?? [];
  if (tickets.length < 2) return null;
  return (
    <Section title={text.tickets}>
      <ul className="flex flex-col gap-1.5">
        {tickets.map((ticket) => (
          <TicketRow key={ticket.id} ticket={ticket} isCurrent={ticket.id === id} />
        ))}
      </ul>
    </Section>
  );
}

function TicketRow({ ticket, isCurrent }: { ticket: Registration; isCurrent: boolean }) {
  const unit = useUnit();
  const { id, eventId, registrationTypeId, status, registeredAt } = ticket;
  const event = useRead<Event>(`v1/events/${eventId}`).data;
  const type = useRead<TicketType>(
    `v1/events/${eventId}/ticket-types/${registrationTypeId}`,
    {},
    { isEnabled: registrationTypeId !== null },
  ).data;
  const name = `${event?.name ?? eventId} · ${type?.name ?? registrationTypeId ?? common.noValue}`;
  return (
    <li className="flex flex-wrap items-center gap-2">
      {isCurrent ? (
        <span className="font-medium">{name}</span>
      ) : (
        <TextLink href={paths.registration(unit.id, eventId, id)}>{name}</TextLink>
      )}
      <StatusBadge kind="registration" status={status} />
      <span className="text-muted">
        <Instant at={registeredAt} style="day" />
        {isCurrent && ` · ${text.thisTicket}`}
      </span>
    </li>
  );
}
