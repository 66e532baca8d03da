import type { Event } from '../../api/records.ts';
import { StatusBadge } from '../ui/badge.tsx';

/** The status of an event. A cancelled one is archived, too. */
export const EventStatus = ({ event }: { event: Pick<Event, 'status' | 'cancelledAt'> }) => (
  <StatusBadge kind="event" status={event.cancelledAt === null ? event.status : 'cancelled'} />
);
