import { getEvent, getRegistration, getTicketType, listCheckins } from '@event-api/client';
import type { Api } from '../tool.ts';

/** What a check-in at the door of the event would say besides that it is made. */
export async function warningsOf(
  { client }: Api,
  path: { eventId: string; id: string },
): Promise<string[]> {
  const { eventId, id: registrationId } = path;
  const query = { registrationId, subjectType: 'event' as const };
  const [registration, event, { checkins }] = await Promise.all([
    getRegistration({ client, path }),
    getEvent({ client, path }),
    listCheckins({ client, path, query }),
  ]);
  const { status, registrationTypeId: typeId } = registration;
  const type = typeId === null ? null : await getTicketType({ client, path: { eventId, typeId } });
  const [earlier] = checkins;
  const now = new Date();
  const closed = [event, type].filter((each) => each !== null && isClosed(each, now));
  return [
    ...(status === 'confirmed' ? [] : [`It will be rejected: the registration is ${status}.`]),
    ...closed.map(
      (each) =>
        `It will be rejected: admission is from ${each?.admissionOpensAt ?? 'any time'} until ${each?.admissionClosesAt ?? 'any time'}.`,
    ),
    ...(earlier
      ? [
          `Nothing will change: ${earlier.badgeReplaced ? 'the former badge of the ticket' : 'the person'} was checked in at ${earlier.checkedInAt}.`,
        ]
      : []),
    ...(event.status === 'published' ? [] : [`The event is not published: it is ${event.status}.`]),
    ...(isOnDayOf(event, now) ? [] : ['Today is not a day of the event.']),
  ];
}

const isClosed = (
  times: { admissionOpensAt: string | null; admissionClosesAt: string | null },
  now: Date,
): boolean => {
  const { admissionOpensAt: from, admissionClosesAt: until } = times;
  return (from !== null && now < new Date(from)) || (until !== null && now >= new Date(until));
};

function isOnDayOf(
  event: { startsAt: string | null; endsAt: string | null; timezone: string },
  now: Date,
): boolean {
  const { timezone: timeZone, startsAt, endsAt } = event;
  const dates = new Intl.DateTimeFormat('en-CA', { timeZone, dateStyle: 'short' });
  const dateOf = (instant: string | Date) => dates.format(new Date(instant));
  const isEarly = startsAt !== null && dateOf(now) < dateOf(startsAt);
  return !isEarly && (endsAt === null || dateOf(now) <= dateOf(endsAt));
}
