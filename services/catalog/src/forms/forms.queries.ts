import type { FormQuestion } from '@event-api/contracts/http/forms';
import type { EventScope } from '@event-api/contracts/internal/scope';
import { notFound } from '@event-api/platform/core/errors';
import type { Db } from '@event-api/platform/db/database';
import { statement } from '@event-api/platform/db/statement';

// Reads from the event, to distinguish an event without a form from an unknown event.
const formOfEvent = statement<{ questions: FormQuestion[] }>(
  'form_of_event',
  `select coalesce(f.questions, '[]') as questions
   from catalog.event e left join catalog.registration_form f on f.event_id = e.id
   where e.business_unit_id = $1 and e.id = $2`,
);

/** Returns the questions of an event's form, empty if it has none. Errors: 404. */
export async function readQuestions(
  db: Db,
  { businessUnitId, eventId }: EventScope,
): Promise<FormQuestion[]> {
  const [row] = await db.query(formOfEvent, [businessUnitId, eventId]);
  if (!row) throw notFound('event');
  return row.questions;
}
