import type { Snapshot } from '@event-api/contracts/messages/snapshot';
import { newId, randomId } from '@event-api/platform/core/ids';
import { describe, expect, test } from 'vitest';
import { registrationProjection } from '../src/projections/registration.projection.ts';
import { database, db, useDatabase } from './context.ts';

useDatabase();

const scope = { businessUnitId: newId('unit'), eventId: newId('evt') };

/** A message about a registration. The previous release publishes no `orderId`. */
const message = (id: string, version: number, status: string, orderId?: string | null) =>
  ({
    ...scope,
    id: randomId('msg'),
    type: registrationProjection.type.type,
    aggregateId: id,
    version,
    occurredAt: new Date().toISOString(),
    data: { status, ...(orderId !== undefined && { orderId }) },
  }) satisfies Snapshot;

const store = (id: string, version: number, status: string) =>
  database.sql(
    `insert into commerce.registration_projection (id, business_unit_id, event_id, version, status, order_id)
     values ($1, $2, $3, $4, $5, 'ord_1')`,
    [id, scope.businessUnitId, scope.eventId, version, status],
  );

const rowOf = (id: string) =>
  database.sql(
    'select version::int, status, order_id as "orderId" from commerce.registration_projection where id = $1',
    [id],
  );

describe('the projected status of a registration', () => {
  const [pending, confirmed] = [
    { version: 5, status: 'pending' },
    { version: 7, status: 'confirmed' },
  ] as const;

  test.each([
    ['is that of a message', [pending], pending],
    ['is that of a message which arrives twice', [pending, pending], pending],
    ['is the newest, in any order of the messages', [confirmed, pending], confirmed],
    ['is the newest after a repeated older message', [pending, confirmed, pending], confirmed],
  ] as const)('%s', async (_title, messages, expected) => {
    const id = newId('reg');
    for (const { version, status } of messages) {
      await registrationProjection.upsert(db, [message(id, version, status, 'ord_1')]);
    }
    expect(await rowOf(id)).toEqual([{ ...expected, orderId: 'ord_1' }]);
  });

  test('of a fulfilment gives way to every message', async () => {
    const id = newId('reg');
    await store(id, 0, 'confirmed');
    await registrationProjection.upsert(db, [message(id, 1, 'pending', 'ord_2')]);
    expect(await rowOf(id)).toEqual([{ version: 1, status: 'pending', orderId: 'ord_2' }]);
  });

  test('has no order in a message of the previous release', async () => {
    const id = newId('reg');
    await registrationProjection.upsert(db, [message(id, 3, 'confirmed')]);
    expect(await rowOf(id)).toEqual([{ version: 3, status: 'confirmed', orderId: null }]);
  });
});
