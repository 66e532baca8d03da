import { randomUUID } from 'node:crypto';
import { writtenChanges } from '@event-api/platform/testing/changes';
import { expect, test } from 'vitest';
import { onsite, operator, scope, useOnsite } from './context.ts';
import { command } from './fixtures.ts';

useOnsite();

const times = { startsAt: '2027-05-10T09:00:00Z', endsAt: '2027-05-10T10:00:00Z' };

const commands: [name: string, table: string, input: () => Promise<object>][] = [
  ['venue.create', 'venue', async () => ({ name: 'Hall' })],
  ['session.create', 'session', async () => ({ title: 'Opening', ...times })],
  ['speaker.create', 'speaker', async () => ({ name: 'Ada' })],
  ['exhibitor.create', 'exhibitor', async () => ({ name: 'Engines' })],
  [
    'exhibitor.allocateBooth',
    'booth',
    async () => {
      const exhibitor = await command(operator, 'exhibitor.create', scope, { name: 'Engines' });
      return { exhibitorId: exhibitor.id, number: 'A1', type: 'corner' };
    },
  ],
];

const send = (name: string, body: object, key: string) =>
  operator('POST', `/operator/${name}`, { body, headers: { 'idempotency-key': key } });

const changesOf = (body: { id: string }) => writtenChanges(onsite, 'onsite', [body.id]);

const rowsIn = async (table: string): Promise<number> =>
  (await onsite.sql(`select 1 from onsite.${table} where event_id = $1`, [scope.eventId])).length;

test.each(commands)(
  '%s has one effect when it is retried with its key',
  async (name, table, input) => {
    const key = randomUUID();
    const body = { ...scope, ...(await input()) };
    const first = await send(name, body, key);
    const second = await send(name, body, key);
    expect(first.status).toBeLessThan(300);
    expect([second.status, second.body]).toEqual([first.status, first.body]);
    expect(second.headers['idempotent-replayed']).toBe('true');
    expect(await rowsIn(table)).toBe(1);
  },
);

test.each(commands)('%s finds the record of an interrupted attempt', async (name, table, input) => {
  const key = randomUUID();
  const body = { ...scope, ...(await input()) };
  const first = await send(name, body, key);
  const changes = await changesOf(first.body);
  await onsite.sql(
    `update onsite.idempotency_key set response_status = null, lease_until = clock_timestamp() - interval '1 second' where key = $1`,
    [key],
  );
  const second = await send(name, body, key);
  expect([second.status, second.body]).toEqual([first.status, first.body]);
  expect(second.headers['idempotent-replayed']).toBeUndefined();
  expect(await changesOf(second.body)).toEqual(changes);
  expect(await rowsIn(table)).toBe(1);
});
