import { useCommandRead, useRead } from '../../../api/api.queries.ts';
import { useEventPath, useTicketTypes } from '../../../api/event-data.ts';
import type { Checkin, CheckinSummary, Registration } from '../../../api/records.ts';
import { History } from '../../../components/detail/history.tsx';
import type { OwnFact } from '../../../components/detail/history-rules.ts';
import { registrationsText as text } from '../../../text/registrations.ts';
import { doorName } from '../door-name.ts';

/** What happened to a person. */
export function PersonHistory({ person }: { person: Registration }) {
  const checkins = useCommandRead<{ checkins: Checkin[] }>('checkin.find', {
    registrationIds: [person.id],
  });
  const summary = useRead<CheckinSummary>(`${useEventPath()}/checkins/summary`);
  const doorNames = new Map(summary.data?.doors.map(({ subjectId, name }) => [subjectId, name]));
  const types = useTicketTypes().data?.ticketTypes ?? [];
  const ticket = types.find(({ id }) => id === person.registrationTypeId)?.name ?? null;
  const words = text.history;
  const facts: OwnFact[] = [
    {
      id: 'registered',
      at: person.registeredAt,
      what: words.registered,
      who: ticket,
      sameAs: 'registration.created',
    },
    ...(checkins.data?.checkins ?? []).map(({ id, checkedInAt: at, subjectType, subjectId }) => {
      return {
        id,
        at,
        what: words.checkedIn(
          doorName({ subjectType, subjectId, name: doorNames.get(subjectId) ?? null }),
        ),
      };
    }),
  ];
  if (person.cancelledAt) {
    const sameAs = `registration.${person.status}`;
    const note = person.rejectionReason;
    facts.push({ id: 'ended', at: person.cancelledAt, what: words.cancelled, note, sameAs });
  }
  return <History recordId={person.id} facts={facts} />;
}
