import { unavailable } from '@event-api/platform/core/errors';
import { expect, test } from 'vitest';
import type { ServiceResponse } from '../owners/send.ts';
import { createEventCheck } from './event-check.ts';

const unit = { id: 'unit_1', name: 'Unit', defaultCurrency: 'EUR' };
const event = { unit, eventId: 'evt_1' };
const response = (status: number): ServiceResponse => ({ status, headers: {}, body: Buffer.of() });

/** A check whose requests to the service are answered by the test. */
function checkWith() {
  const responses: PromiseWithResolvers<ServiceResponse>[] = [];
  const check = createEventCheck(() => {
    const respond = Promise.withResolvers<ServiceResponse>();
    responses.push(respond);
    return respond.promise;
  });
  return { check, responses: responses };
}

test('fifty streams that open at once share one request, and the next one sends another', async () => {
  const { check, responses } = checkWith();
  const checks = Array.from({ length: 50 }, (_, n) => check(event, `req_${n}`));
  expect(responses).toHaveLength(1);
  responses[0]?.resolve(response(200));
  await Promise.all(checks);
  void check(event, 'req_later');
  expect(responses).toHaveLength(2);
});

test('another event and another business unit have requests of their own', () => {
  const { check, responses } = checkWith();
  void check(event, 'req_1');
  void check({ ...event, eventId: 'evt_2' }, 'req_2');
  void check({ ...event, unit: { ...unit, id: 'unit_2' } }, 'req_3');
  expect(responses).toHaveLength(3);
});

test('an unknown event is a 404 for all of them', async () => {
  const { check, responses } = checkWith();
  const checks = [check(event, 'req_1'), check(event, 'req_2')];
  responses[0]?.resolve(response(404));
  const results = await Promise.allSettled(checks);
  expect(results.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
  await expect(checks[0]).rejects.toMatchObject({ code: 404 });
});

test('an owner that is away lets the streams open', async () => {
  const { check, responses } = checkWith();
  const checks = [check(event, 'req_1'), check(event, 'req_2')];
  responses[0]?.reject(unavailable());
  expect(await Promise.all(checks)).toEqual([undefined, undefined]);
});
