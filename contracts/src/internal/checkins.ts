import { z } from 'zod';
import { operation } from '../operation.ts';
import { reference, scopeFields } from './scope.ts';

export const readCheckedIn = operation({
  method: 'POST',
  url: '/internal/checkins/read-checked-in',
  config: {
    tag: 'Internal',
    owner: 'onsite',
    audience: 'service',
    operationId: 'readCheckedIn',
    summary: 'Whether a registration was let in at any door',
  },
  schema: {
    body: z.object({ ...scopeFields, registrationId: reference() }),
    response: { 200: z.object({ checkedIn: z.boolean() }) },
  },
});
