import { describe, expect, test } from 'vitest';
import {
  aborted,
  alreadyExists,
  invalidArgument,
  notFound,
  preconditionFailed,
  unauthenticated,
  unavailable,
} from '../core/errors.ts';
import { countOutcome, rejectionReason } from './outcomes.ts';

describe('rejectionReason', () => {
  test.each([
    [preconditionFailed('SOLD_OUT'), 'sold_out'],
    [preconditionFailed('ATTENDEE_REGISTERED', { field: 'items[0]' }), 'attendee_registered'],
    [
      invalidArgument([{ field: 'email', issue: 'is ada@example.com', code: 'invalid_format' }]),
      'invalid_format',
    ],
    [invalidArgument([]), 'refused'],
    [notFound(), 'not_found'],
    [alreadyExists('it is there'), 'conflict'],
    [aborted('again', 1), 'conflict'],
    [unauthenticated(), 'refused'],
    [unavailable(new Error('ada@example.com')), 'failed'],
    [new Error('ada@example.com'), 'failed'],
    [null, 'failed'],
  ])('returns for %o the reason %s', (error, word) => {
    expect(rejectionReason(error)).toBe(word);
  });
});

test('counts the outcome of work once and passes on its result or error', async () => {
  const counted: string[] = [];
  const count = (outcome: string) => void counted.push(outcome);
  const result = await countOutcome(
    count,
    ({ created }) => (created ? 'first' : 'repeat'),
    async () => ({ created: true }),
  );
  expect(result).toEqual({ created: true });
  const refused = countOutcome(
    count,
    () => 'never',
    () => Promise.reject(notFound()),
  );
  await expect(refused).rejects.toMatchObject({ code: 404 });
  expect(counted).toEqual(['first', 'not_found']);
});
