import type { FormQuestion } from '@event-api/contracts/http/forms';
import { defineEntity, type InferEntity, p } from '@mikro-orm/core';

/**
 * The questions of an event, which orders and registrations answer. An event without questions has
 * no row.
 */
export const RegistrationForm = defineEntity({
  name: 'RegistrationForm',
  tableName: 'registration_form',
  properties: {
    eventId: p.text().primary(),
    businessUnitId: p.text(),
    questions: p.json<FormQuestion[]>(),
  },
});

export type RegistrationForm = InferEntity<typeof RegistrationForm>;
