import { getEvent } from '@event-api/contracts/http/events';
import type { FastifyRequest } from 'fastify';
import { expect, test } from 'vitest';
import type { Forwarded } from '../forwarding/forward.ts';
import { formatPosition } from './position.ts';
import { createShareRead } from './shared-reads.ts';

const forwarded: Forwarded = {
  operation: getEvent,
  path: '/v1/events/evt_1',
  caller: { audience: 'api', permissions: ['catalog.read'] },
  scope: { businessUnitId: 'unit_1', eventId: 'evt_1' },
};

/** Pages of an event at a position, which changes. Each response has a number of its own. */
function createPages() {
  const event = { position: 1 };
  const shareRead = createShareRead({ positionOf: () => event.position });
  let sent = 0;
  const read = async (seen: number, changed: Partial<Forwarded> = {}) => {
    const request = { headers: { 'live-message': formatPosition(seen) } } as unknown;
    const send = async () => ({ status: 200, headers: {}, body: Buffer.from(String(++sent)) });
    const response = await shareRead(request as FastifyRequest, { ...forwarded, ...changed }, send);
    return Number(response.body.toString());
  };
  return { event, read };
}

test('a page that has seen a later message gets a read of its own, which later pages share', async () => {
  const { event, read } = createPages();
  expect(await read(1)).toBe(1);
  event.position = 2;
  // This page has not seen the message at position 2 yet.
  expect(await read(1)).toBe(1);
  expect(await read(2)).toBe(2);
  expect(await read(2)).toBe(2);
  expect(await read(1)).toBe(2);
});

test.each<[string, Partial<Forwarded>]>([
  ['path', { path: '/v1/events/evt_1?limit=1' }],
  ['body', { body: Buffer.from('{}') }],
  ['permissions', { caller: { audience: 'api', permissions: ['catalog.read', 'money'] } }],
  ['business unit', { scope: { businessUnitId: 'unit_2', eventId: 'evt_1' } }],
])('a read with another %s is not shared', async (_, changed) => {
  const { read } = createPages();
  expect(await read(1)).toBe(1);
  expect(await read(1, changed)).toBe(2);
  expect(await read(1)).toBe(1);
});
