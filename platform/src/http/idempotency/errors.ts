import { invalidArgument } from '../../core/errors.ts';

export const malformedKey = () =>
  invalidArgument([
    { field: 'Idempotency-Key', issue: 'must have 1 to 255 characters', code: 'invalid_format' },
  ]);

export const keyReused = () =>
  invalidArgument([
    {
      field: 'Idempotency-Key',
      issue: 'was already used for a different request',
      code: 'invalid_value',
    },
  ]);
