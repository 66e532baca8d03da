import { acceptsTicketTypeId, text } from '@event-api/contracts/http/fields';
import { operation } from '@event-api/contracts/operation';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { preconditionFailed, referenceNotFound } from '../core/errors.ts';
import { createLogger } from '../core/log.ts';
import { createHttpServer } from './server.ts';

const typeId = () => text({ min: 1, max: 10 });

async function detailsOf(audience: 'api' | 'operator', payload: object, url = '/v1/things') {
  const log = createLogger({ service: 'test', level: 'silent' });
  const server = createHttpServer({ log, checkResponses: true, trustRequestId: true });
  const config = { summary: 'Test', tag: 'Test', owner: 'commerce', permission: 'design' } as const;
  const response = { 200: z.object({}) };
  server.route({
    ...operation({
      ...{ method: 'POST', url: '/v1/things' },
      config: { ...config, audience, operationId: 'create' },
      schema: {
        body: acceptsTicketTypeId(z.object({ email: z.string(), registrationTypeId: typeId() })),
        response,
      },
    }),
    handler: async ({ body: { registrationTypeId: id } }) => {
      if (id === 'missing') throw referenceNotFound('registrationTypeId');
      if (id === 'closed') throw preconditionFailed('NOT_ON_SALE', { field: 'registrationTypeId' });
      return {};
    },
  });
  server.route({
    ...operation({
      ...{ method: 'GET', url: '/v1/things' },
      config: { ...config, audience, operationId: 'list' },
      schema: {
        querystring: acceptsTicketTypeId(z.object({ registrationTypeId: typeId().optional() })),
        response,
      },
    }),
    handler: async () => ({}),
  });
  const isList = url.includes('?');
  const result = await server.inject(
    isList ? { method: 'GET', url } : { method: 'POST', url, payload },
  );
  await server.close();
  const { code, message, details } = result.json().error;
  return { code, message, fields: details.map(({ field }: { field: string }) => field) };
}

const longId = 'x'.repeat(11);

test.each([
  [400, { ticketTypeId: longId }, ['ticketTypeId']],
  [400, { ticketTypeId: 5, email: 5 }, ['email', 'ticketTypeId']],
  [400, { ticketTypeId: null }, ['registrationTypeId']],
  [400, {}, ['registrationTypeId']],
  [400, { registrationTypeId: longId }, ['registrationTypeId']],
  [400, { registrationTypeId: longId, ticketTypeId: longId }, ['registrationTypeId']],
  [404, { ticketTypeId: 'missing' }, ['ticketTypeId']],
  [404, { registrationTypeId: null, ticketTypeId: 'missing' }, ['ticketTypeId']],
  [404, { registrationTypeId: 'missing' }, ['registrationTypeId']],
  [412, { ticketTypeId: 'closed' }, ['ticketTypeId']],
  [412, { registrationTypeId: 'closed' }, ['registrationTypeId']],
])('a %i names the field that was sent: %j', async (code, body, fields) => {
  for (const audience of ['api', 'operator'] as const) {
    const found = await detailsOf(audience, { email: 'ada@example.com', ...body });
    expect([found.code, found.fields]).toEqual([code, fields]);
    if (code !== 412) expect(found.message).toMatch(new RegExp(`^${fields[0]} `));
  }
});

test('a 400 for a query names the parameter that was sent', async () => {
  for (const field of ['ticketTypeId', 'registrationTypeId']) {
    const { fields } = await detailsOf('api', {}, `/v1/things?${field}=${longId}`);
    expect(fields).toEqual([field]);
  }
});
