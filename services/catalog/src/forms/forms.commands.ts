import type { FormQuestion } from '@event-api/contracts/http/forms';
import type { setForm as setFormOperation } from '@event-api/contracts/operator/forms';
import { recordAudit } from '@event-api/platform/audit/write';
import type { Database } from '@event-api/platform/db/database';
import type { z } from 'zod';
import { archivedIsFinal } from '../errors.ts';
import { bumpEventVersion, lockEvent } from '../events/events.queries.ts';
import { readQuestions } from './forms.queries.ts';
import { decideForm } from './forms.rules.ts';
import { RegistrationForm } from './registration-form.entity.ts';

/**
 * Replaces the questions of an event's form. Setting identical questions writes nothing.
 *
 * Errors: 404; 400 for any change in an archived event. Locks: the event's row. Emits: the event.
 */
export async function setForm(
  db: Database,
  { questions, ...scope }: z.output<typeof setFormOperation.schema.body>,
): Promise<FormQuestion[]> {
  return db.transaction(async (tx) => {
    const event = await lockEvent(tx, scope, 'write');
    const current = await readQuestions(tx, scope);
    switch (decideForm(current, questions, event.status === 'archived').outcome) {
      case 'unchanged':
        return current;
      case 'event_archived':
        throw archivedIsFinal();
      case 'cleared':
        await tx.em.nativeDelete(RegistrationForm, scope);
        break;
      case 'replaced':
        await tx.em.upsert(RegistrationForm, { ...scope, questions });
    }
    await bumpEventVersion(tx, scope);
    recordAudit(tx);
    return questions;
  });
}
