import { afterAll, beforeAll, expect, test } from 'vitest';
import { z } from 'zod';
import { notFound, type RecordKind } from '../src/core/errors.ts';
import { createLogger } from '../src/core/log.ts';
import { createHttpServer, type HttpServer } from '../src/http/server.ts';

let app: HttpServer;
beforeAll(() => {
  const log = createLogger({ service: 'test', level: 'silent' });
  app = createHttpServer({ log, checkResponses: true, trustRequestId: true });
  for (const audience of ['operator', 'api'] as const) {
    app.route({
      method: 'POST',
      url: `/${audience}/:kind`,
      schema: { body: z.looseObject({}), params: z.object({ kind: z.string() }) },
      config: { owner: 'catalog', audience, operationId: audience, summary: '', tag: '' },
      handler: async ({ params }) => {
        throw notFound(params.kind as RecordKind);
      },
    });
  }
});
afterAll(() => app?.close());

const post = async (url: string, payload: object) =>
  (await app.inject({ method: 'POST', url, payload })).json().error;

test.each([
  ['venue', { venueId: 'x' }, 'venueId', 'is not the id of a venue of the event'],
  ['event', { eventId: 'x' }, 'eventId', 'is not the id of an event of the business unit'],
  ['ticketType', { targetId: 'x' }, 'targetId', 'is not the id of a ticket type of the event'],
  ['key', { id: 'x' }, 'id', 'is not the id of a key'],
  ['businessUnit', { businessUnitId: 'x' }, 'businessUnitId', 'is not the id of a business unit'],
])('names the field of a missing %s to an operator', async (kind, body, field, issue) => {
  expect(await post(`/operator/${kind}`, body)).toEqual({
    code: 404,
    status: 'NOT_FOUND',
    message: `${field} ${issue}`,
    details: [{ field, issue, code: 'not_found' }],
  });
});

test.each([
  ['an integrator', '/api/venue', { venueId: 'x' }],
  ['an operator whose request has no such field', '/operator/venue', {}],
])('names nothing to %s', async (_, path, body) => {
  expect(await post(path, body)).toEqual({ code: 404, status: 'NOT_FOUND', message: 'Not found' });
});
