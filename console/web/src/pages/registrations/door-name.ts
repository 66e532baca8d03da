import type { DoorCount } from '../../api/records.ts';
import { registrationsText as text } from '../../text/registrations.ts';

/** The name of a door on the pages of people. One that was deleted has only its id. */
export const doorName = ({
  subjectType,
  subjectId,
  name,
}: Pick<DoorCount, 'subjectType' | 'subjectId' | 'name'>): string =>
  subjectType === 'event' ? text.eventDoor : (name ?? subjectId);
