import { newId } from '@event-api/platform/core/ids';
import { readPdf, readSvgCodes } from '@event-api/platform/testing/badges';
import { eventually } from '@event-api/platform/testing/eventually';
import { beforeAll, describe, expect, test } from 'vitest';
import { call, eventPath, scope, service, typeId, useRegistration } from '../context.ts';
import { changeType, createTestEvent, createTestTicketType } from '../fixtures.ts';
import { errorSummary, register, succeeded } from '../projection-fixtures.ts';

useRegistration();

// The first badge starts the thread that draws them. While it loads, a busy machine responds 503.
beforeAll(async () => {
  const event = await createTestEvent(service.sql);
  const registrationTypeId = await createTestTicketType(service.sql, event);
  const client = await service.as(event.businessUnitId);
  const { id } = await register(client, event, { registrationTypeId });
  await eventually(async () => {
    const { status } = await client('GET', pathOf(id, `/v1/events/${event.eventId}`));
    expect(status).toBe(200);
  });
});

const pathOf = (id: string, path = eventPath) => `${path}/registrations/${id}/badge`;

const registerAda = (fields: object = {}) =>
  register(call, scope, { name: 'Ada Lovelace', registrationTypeId: typeId, ...fields });

describe('GET badge', () => {
  test('returns an SVG by default, which a browser shows and does not run', async () => {
    const { id, checkinCode } = await registerAda();
    const { status, headers, body } = await call('GET', pathOf(id));
    expect(status).toBe(200);
    expect(headers).toMatchObject({
      'content-type': 'image/svg+xml',
      'content-disposition': 'inline; filename="badge.svg"',
      'content-security-policy': "default-src 'none'; style-src 'unsafe-inline'; sandbox",
      'cache-control': 'private, no-store',
      'x-content-type-options': 'nosniff',
    });
    expect(body).toContain('<title>Ada Lovelace – Summit – Day pass</title>');
    expect(await readSvgCodes(body)).toEqual([checkinCode]);
  });

  test('returns a PDF with the name, the ticket type, the event, the company and the code', async () => {
    const form = [{ id: 'company', label: 'Company', type: 'text', required: false }];
    await service.sql('update registration.event_projection set form = $2 where id = $1', [
      scope.eventId,
      JSON.stringify(form),
    ]);
    const { id, checkinCode } = await registerAda({ responses: { company: 'Analytical Engines' } });
    const { headers, body } = await call('GET', `${pathOf(id)}?format=pdf`);
    expect(headers).toMatchObject({
      'content-type': 'application/pdf',
      'content-disposition': 'inline; filename="badge.pdf"',
    });
    const [page] = await readPdf(body);
    for (const text of ['Ada Lovelace', 'Day pass', 'Summit', 'Analytical Engines', checkinCode]) {
      expect(page?.text).toContain(text);
    }
    expect(page?.codes).toEqual([checkinCode]);
  });

  test('ignores an answer with the id of the company that is no text', async () => {
    const form = [{ id: 'company', label: 'With company', type: 'boolean', required: false }];
    await service.sql('update registration.event_projection set form = $2 where id = $1', [
      scope.eventId,
      JSON.stringify(form),
    ]);
    const { id } = await registerAda({ responses: { company: true } });
    const [page] = await readPdf((await call('GET', `${pathOf(id)}?format=pdf`)).body);
    expect(page?.text).not.toContain('true');
  });

  test('has the code of the present badge after a transfer', async () => {
    const { id, checkinCode } = await registerAda();
    const body = { email: 'grace.badge@example.com', name: 'Grace Hopper' };
    const moved = succeeded(await call('PATCH', `${eventPath}/registrations/${id}`, { body }));
    expect(moved.checkinCode).not.toBe(checkinCode);
    expect(await readSvgCodes((await call('GET', pathOf(id))).body)).toEqual([moved.checkinCode]);
  });

  test('returns 412 for a registration that is not confirmed', async () => {
    const { id } = await registerAda();
    await call('POST', `${eventPath}/registrations/${id}/cancel`);
    await service.sql(
      'update registration.ticket_type_projection set requires_approval = true, version = version + 1 where id = $1',
      [typeId],
    );
    const pending = await registerAda();
    for (const each of [id, pending.id]) {
      const refused = await call('GET', pathOf(each));
      expect(errorSummary(refused)).toEqual([412, 'NOT_CONFIRMED']);
      expect(refused.body.error.message).toMatch(
        /^The registration is \w+\. Only a confirmed one has a badge\.$/,
      );
    }
  });

  test('returns a badge after a promotion that became possible', async () => {
    await changeType(service.sql, typeId, { capacity: 1 });
    await service.sql(
      'update registration.ticket_type_projection set allow_waitlist = true, version = version + 1 where id = $1',
      [typeId],
    );
    await registerAda();
    const waiting = await registerAda();
    expect(errorSummary(await call('GET', pathOf(waiting.id)))).toEqual([412, 'NOT_CONFIRMED']);
    await changeType(service.sql, typeId, { capacity: 2 });
    expect((await call('GET', pathOf(waiting.id))).status).toBe(200);
  });

  test('returns one 404 for an unknown id, another event and another business unit', async () => {
    const { id } = await registerAda();
    const { businessUnitId } = scope;
    const otherEvent = await createTestEvent(service.sql, { businessUnitId });
    const otherUnit = await service.as(newId('unit'));
    const responses = [
      await call('GET', pathOf(newId('reg'))),
      await call('GET', pathOf('%00')),
      await call('GET', pathOf(id, `/v1/events/${otherEvent.eventId}`)),
      await call('GET', pathOf(id, `/v1/events/${newId('evt')}`)),
      await otherUnit('GET', pathOf(id)),
    ];
    expect(responses.map(({ status }) => status)).toEqual(responses.map(() => 404));
    expect(new Set(responses.map(({ body }) => JSON.stringify(body))).size).toBe(1);
  });

  test('returns 400 for an unknown format', async () => {
    const { id } = await registerAda();
    expect(errorSummary(await call('GET', `${pathOf(id)}?format=png`))).toEqual([400, 'format']);
  });
});
