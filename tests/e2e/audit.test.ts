import { randomBytes } from 'node:crypto';
import { forwardedOperations } from '@event-api/contracts/http/operations';
import { isMutation } from '@event-api/contracts/operation';
import { listAudit } from '@event-api/contracts/operator/audit';
import { disableCodeBatch, listCodeBatches, updateCode } from '@event-api/contracts/operator/codes';
import { pairDevice, revokeDevice } from '@event-api/contracts/operator/devices';
import { setDoorRules } from '@event-api/contracts/operator/door-rules';
import { cancelEvent, previewEventCancel } from '@event-api/contracts/operator/event-cancellation';
import { setEventLimits } from '@event-api/contracts/operator/event-limits';
import { setEventFeatures } from '@event-api/contracts/operator/events';
import * as exhibitors from '@event-api/contracts/operator/exhibitors';
import { createKey, revokeKey, updateKey } from '@event-api/contracts/operator/keys';
import { operatorOperations } from '@event-api/contracts/operator/operations';
import { updateOrder } from '@event-api/contracts/operator/orders';
import {
  connectPaymentAccount,
  disconnectPaymentAccount,
  reencryptPaymentAccounts,
  setPaymentAccountFee,
  setPaymentAccountKey,
} from '@event-api/contracts/operator/payment-accounts';
import { bindPerk, createPerk, unbindPerk } from '@event-api/contracts/operator/perks';
import * as program from '@event-api/contracts/operator/program';
import { resyncProjections } from '@event-api/contracts/operator/projections';
import { runReconciliation } from '@event-api/contracts/operator/reconciliation';
import {
  reconcileCommerce,
  refundOrder,
  setRefundDelay,
  withdrawFailedRefunds,
} from '@event-api/contracts/operator/refunds';
import {
  bindCodePerk,
  grantPerk,
  revokePerk,
  unbindCodePerk,
} from '@event-api/contracts/operator/registration-perks';
import { confirmRegistration } from '@event-api/contracts/operator/registrations';
import { compareRestored, completeRestore } from '@event-api/contracts/operator/restore';
import { archiveTaxRate, createTaxRate } from '@event-api/contracts/operator/tax-rates';
import { createUnit } from '@event-api/contracts/operator/units';
import { reencryptWebhookSecrets } from '@event-api/contracts/operator/webhooks';
import { projectingServices, publisherNames, schemas } from '@event-api/contracts/topology';
import { eventually } from '@event-api/platform/testing/eventually';
import type { HttpClient } from '@event-api/platform/testing/http-client';
import type { OperatorClient } from '@event-api/tools/admin/operator-client';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { countedOperator, operatorApi, type SuccessCounts } from './audited-calls.ts';
import { runJourney } from './examples/journey.ts';
import { type BusFixture, createBusFixture, expectStatus, openEvent } from './fixtures/bus.ts';
import { pay, urls } from './fixtures/checkout.ts';

let bus: BusFixture;
beforeAll(async () => {
  bus = await createBusFixture();
});
afterAll(() => bus?.stop());

interface StoredEntry {
  operation: string;
  result: string;
  unit: string | null;
  actor: string;
  records: string[];
  fields: string[];
  reason: string | null;
}

/** The entries of all processes. */
const entries = (where = 'true', values: unknown[] = []) =>
  bus.database.sql<StoredEntry>(
    schemas
      .map(
        (schema) =>
          `select operation, result, business_unit_id as unit, actor_type as actor, records, fields, reason from ${schema}.audit_entry where ${where}`,
      )
      .join(' union all '),
    values,
  );

/** Uses every command that the journey does not use. */
async function operate(call: HttpClient, operator: OperatorClient, businessUnitId: string) {
  const { eventId, typeId, path } = await openEvent(call, { capacity: 10, priceAmount: 1500 });
  const scope = { businessUnitId, eventId };
  const unit = await operator.call(createUnit, { name: 'Another unit' });
  await operator.call(setRefundDelay, { businessUnitId, refundAfterHours: 48 });
  const secretKey = `sandbox_sk_${randomBytes(12).toString('hex')}`;
  const account = { businessUnitId, secretKey, webhookSecret: secretKey };
  await operator.call(setPaymentAccountKey, account);
  const returnUrl = 'https://console.example.com/';
  await operator.call(connectPaymentAccount, { businessUnitId, returnUrl });
  await operator.call(setPaymentAccountFee, { businessUnitId, basisPoints: 250, fixedAmount: 30 });
  await operator.call(disconnectPaymentAccount, { businessUnitId });
  const key = await operator.call(createKey, { businessUnitId: unit.id, name: 'A key' });
  await operator.call(updateKey, { id: key.id, name: 'The key' });
  await operator.call(revokeKey, { id: key.id });
  const doors = [{ subjectType: 'event' as const, subjectId: eventId }];
  const device = await operator.call(pairDevice, { ...scope, name: 'Entrance', doors });
  await operator.call(revokeDevice, { businessUnitId, id: device.id });
  await operator.call(setEventFeatures, { ...scope, features: ['badges'] });
  await operator.call(setEventLimits, { ...scope, maxHoldsPerEmail: 5 });
  await operator.call(setDoorRules, { ...scope, refuseIfFormerInside: true });
  const rate = { name: 'VAT', percentage: 1900, mode: 'inclusive' as const };
  const { id: taxRateId } = await operator.call(createTaxRate, { businessUnitId, ...rate });
  await operator.call(archiveTaxRate, { businessUnitId, taxRateId });
  const perk = await operator.call(createPerk, { ...scope, name: 'Lunch' });
  const ofType = {
    ...scope,
    perkId: perk.id,
    targetType: 'registration_type',
    targetId: typeId,
  } as const;
  await operator.call(bindPerk, ofType);
  await operator.call(unbindPerk, ofType);
  const { redemptionCodes } = await expectStatus(call, [
    'POST',
    `${path}/redemption-codes`,
    { registrationTypeId: typeId },
  ]);
  const ofCode = {
    ...scope,
    perkId: perk.id,
    targetType: 'redemption_code',
    targetId: redemptionCodes[0].id,
  } as const;
  await operator.call(bindCodePerk, ofCode);
  await operator.call(unbindCodePerk, ofCode);
  await operator.call(updateCode, { ...scope, redemptionCodeId: ofCode.targetId, label: 'Press' });
  const several = { registrationTypeId: typeId, count: 2 };
  await expectStatus(call, ['POST', `${path}/redemption-codes`, several]);
  const { batches } = await operator.call(listCodeBatches, scope);
  await operator.call(disableCodeBatch, { ...scope, batchId: batches[0]?.id ?? '' });
  const approved = await expectStatus(call, [
    'POST',
    `${path}/ticket-types`,
    { name: 'Application', requiresApproval: true },
  ]);
  await expectStatus(call, ['PATCH', `${path}/ticket-types/${approved.id}`, { status: 'open' }]);
  const { registration } = await expectStatus(call, [
    'POST',
    `${path}/registrations`,
    { email: 'ada@example.com', registrationTypeId: approved.id },
  ]);
  const ofPerson = { ...scope, registrationId: registration.id };
  await operator.call(confirmRegistration, { ...ofPerson, reason: 'Speaker' });
  await operator.call(grantPerk, { ...ofPerson, perkId: perk.id });
  await operator.call(revokePerk, { ...ofPerson, perkId: perk.id });
  const bundle = await expectStatus(call, ['POST', `${path}/bundles`, { name: 'Everything' }]);
  const content = [{ itemType: 'registration_type', itemId: typeId, quantity: 1 }];
  await expectStatus(call, ['PUT', `${path}/bundles/${bundle.id}/items`, content]);
  await refund(call, operator, { scope, path, typeId });
  await fillProgram(operator, scope, registration.id);
  const cancelled = { businessUnitId, eventId: (await openEvent(call, {})).eventId };
  const { expectedVersion } = await operator.call(previewEventCancel, cancelled);
  await operator.call(cancelEvent, { ...cancelled, expectedVersion, reason: 'Storm' });
  await operator.call(reconcileCommerce, {});
  const [yesterday] = await bus.database.sql<{ day: string }>(
    `insert into commerce.journal_day values (to_char((now() - interval '1 day') at time zone 'UTC', 'YYYY-MM-DD'), now()) returning day`,
  );
  await operator.call(runReconciliation, { day: yesterday?.day ?? '' });
  await operator.call(compareRestored, {});
  await operator.call(reencryptWebhookSecrets, {} as never);
  await operator.call(reencryptPaymentAccounts, {} as never);
  for (const service of projectingServices)
    await operator.call(resyncProjections(service), { service });
  for (const service of publisherNames) await operator.call(completeRestore(service), { service });
}

async function refund(
  call: HttpClient,
  operator: OperatorClient,
  {
    scope,
    path,
    typeId,
  }: { scope: { businessUnitId: string; eventId: string }; path: string; typeId: string },
) {
  const items = [{ itemType: 'registration_type', itemId: typeId }];
  const body = { email: 'eve@example.com', items };
  const { id } = await expectStatus(call, ['POST', `${path}/orders`, body]);
  const { paymentUrl } = await expectStatus(call, ['POST', `${path}/orders/${id}/confirm`, urls]);
  await pay(paymentUrl);
  await eventually(async () => {
    const { status } = await expectStatus(call, ['GET', `${path}/orders/${id}`]);
    expect(status).toBe('paid');
  });
  const renamePayment = (suffix: string) =>
    bus.database.sql(
      `update commerce.settlement set provider_payment_id = replace(provider_payment_id, '-unknown', '') || $2
       where order_id = $1`,
      [id, suffix],
    );
  // The provider refuses to refund a payment that it does not know.
  await renamePayment('-unknown');
  await operator.call(updateOrder, { ...scope, orderId: id, name: 'Eve' });
  await operator.call(refundOrder, { ...scope, orderId: id, amount: 100 });
  await operator.call(withdrawFailedRefunds, { ...scope, orderId: id, reason: 'Paid in cash' });
  await renamePayment('');
  const { seats } = await expectStatus(call, ['GET', `${path}/orders/${id}`]);
  const quoted = { dryRun: true, cancelSeats: [seats[0].id] };
  const { quote } = await expectStatus(call, ['POST', `${path}/orders/${id}/changes`, quoted]);
  await expectStatus(call, ['POST', `${path}/orders/${id}/changes`, { quoteId: quote.id }]);
  await operator.call(refundOrder, { ...scope, orderId: id, all: true });
}

async function fillProgram(
  operator: OperatorClient,
  scope: { businessUnitId: string; eventId: string },
  registrationId: string,
) {
  const { id: venueId } = await operator.call(program.createVenue, { ...scope, name: 'Hall' });
  await operator.call(program.updateVenue, { ...scope, venueId, name: 'The hall' });
  const times = { startsAt: '2027-05-10T08:00:00Z', endsAt: '2027-05-10T09:00:00Z' };
  const session = await operator.call(program.createSession, {
    ...scope,
    title: 'Opening',
    ...times,
  });
  await operator.call(program.updateSession, { ...scope, sessionId: session.id, title: 'Talk' });
  const speaker = await operator.call(program.createSpeaker, { ...scope, name: 'Ada' });
  await operator.call(program.updateSpeaker, { ...scope, speakerId: speaker.id, name: 'Eve' });
  await operator.call(program.deleteSpeaker, { ...scope, speakerId: speaker.id });
  await operator.call(program.deleteSession, { ...scope, sessionId: session.id });
  await operator.call(program.deleteVenue, { ...scope, venueId });
  const company = await operator.call(exhibitors.createExhibitor, { ...scope, name: 'Acme' });
  const one = { ...scope, exhibitorId: company.id };
  await operator.call(exhibitors.updateExhibitor, { ...one, name: 'Acme Ltd' });
  await operator.call(exhibitors.confirmExhibitor, one);
  await operator.call(exhibitors.addMember, { ...one, registrationId, role: 'Host' });
  await operator.call(exhibitors.removeMember, { ...one, registrationId });
  await operator.call(exhibitors.allocateBooth, { ...one, number: 'A1', type: 'corner' });
  await operator.call(exhibitors.releaseBooth, { ...one, number: 'A1' });
  await operator.call(exhibitors.declineExhibitor, one);
}

test('every change by an operator has exactly one entry, in the transaction of its decision', async () => {
  const before = await entries();
  const { unitId } = await bus.newKey();
  const created = 2;
  const counts: SuccessCounts = new Map();
  const call = await operatorApi(bus, unitId, counts);
  const operator = countedOperator(bus.operator, counts);
  await runJourney({ recorded: call, unrecorded: call, operator, businessUnitId: unitId });
  await operate(call, operator, unitId);
  const all = (await entries()).slice(before.length);
  const completed = all.filter(({ result }) => result === 'done' || result === 'unchanged');
  const written = new Map<string, number>();
  for (const { operation } of completed) written.set(operation, (written.get(operation) ?? 0) + 1);
  // The unit and the key of the journey.
  for (const name of ['unit.create', 'key.create']) {
    written.set(name, (written.get(name) ?? 0) - created / 2);
  }
  expect(Object.fromEntries([...written].toSorted())).toEqual(
    Object.fromEntries([...counts].toSorted()),
  );
  // The console does not run here; its own tests compare its log.
  // A pairing code acts for a device. What a device changes has no entry.
  const mutations = [...forwardedOperations, ...operatorOperations].filter(
    (operation) =>
      isMutation(operation) &&
      operation.config.owner !== 'console' &&
      operation.config.permission !== 'device',
  );
  const names = new Set(mutations.map(({ config }) => config.operationId));
  const done = new Set(
    all.filter(({ result }) => result === 'done').map(({ operation }) => operation),
  );
  expect([...names].filter((name) => !done.has(name))).toEqual([]);
}, 300_000);

describe('an entry', () => {
  test('names the records and the fields of a change, and never a value', async () => {
    const { unitId } = await bus.newKey();
    const call = await operatorApi(bus, unitId, new Map());
    const { eventId, typeId, path } = await openEvent(call);
    const body = { email: 'secret@example.com', name: 'Secret', registrationTypeId: typeId };
    const { registration } = await expectStatus(call, ['POST', `${path}/registrations`, body]);
    await expectStatus(
      call,
      ['POST', `${path}/registrations/${registration.id}/reject`, { reason: 'Late' }],
      412,
    );
    await eventually(async () => {
      const found = await entries("business_unit_id = $1 and operation like '%Registration'", [
        unitId,
      ]);
      expect(found).toEqual([
        expect.objectContaining({
          operation: 'createRegistration',
          result: 'done',
          actor: 'operator',
          records: [typeId, registration.id],
          fields: ['email', 'name'],
        }),
        expect.objectContaining({
          operation: 'rejectRegistration',
          result: 'refused',
          records: [registration.id],
          reason: 'NOT_PENDING',
        }),
      ]);
    });
    expect(JSON.stringify(await entries('event_id = $1', [eventId]))).not.toMatch(/secret/i);
  });

  test('is listed by unit, event, operator, record and period, newest first and page by page', async () => {
    const { unitId } = await bus.newKey();
    const call = await operatorApi(bus, unitId, new Map());
    const { eventId, typeId } = await openEvent(call);
    const list = (input: object = {}) =>
      bus.operator.call(listAudit('catalog'), {
        service: 'catalog',
        businessUnitId: unitId,
        ...input,
      });
    const { entries: all } = await list();
    expect(all.map(({ operation }) => operation)).toEqual([
      'updateTicketType',
      'createTicketType',
      'updateEvent',
      'createEvent',
    ]);
    expect(all[0]).toMatchObject({ eventId, actor: { type: 'operator', id: 'opr_1' } });
    const first = await list({ limit: 3 });
    const next = await list({ limit: 3, cursor: first.nextCursor ?? '' });
    expect([...first.entries, ...next.entries]).toEqual(all);
    for (const [filter, expected] of [
      [{ eventId }, all.slice(0, 3)],
      [{ actorId: 'opr_1' }, all],
      [{ actorId: 'opr_2' }, []],
      [{ record: typeId }, all.slice(0, 2)],
      [{ record: eventId }, all.slice(2)],
      [{ to: all[3]?.at ?? '' }, []],
      [{ from: all[3]?.at ?? '' }, all],
      [{ record: typeId, actorId: 'opr_2' }, []],
    ] as const) {
      expect([filter, (await list(filter)).entries]).toEqual([filter, expected]);
    }
  });

  test('is not written for a key', async () => {
    const { unitId, at } = await bus.newUnit();
    const call = at(bus.gatewayUrl);
    const { typeId, path } = await openEvent(call);
    const { registration } = await expectStatus(call, [
      'POST',
      `${path}/registrations`,
      { email: 'ada@example.com', registrationTypeId: typeId },
    ]);
    const door = { registrationId: registration.id, subjectType: 'event' };
    await expectStatus(call, ['POST', `${path}/checkins`, door]);
    await expectStatus(call, ['POST', `${path}/registrations/${registration.id}/cancel`]);
    const found = await entries('business_unit_id = $1', [unitId]);
    expect(found.map(({ operation }) => operation).toSorted()).toEqual([
      'key.create',
      'unit.create',
    ]);
  });

  test('can be neither changed nor deleted by the role of its process', async () => {
    for (const schema of schemas) {
      for (const right of ['update', 'delete']) {
        const [row] = await bus.database
          .of(schema)
          .sql<{ allowed: boolean }>('select has_table_privilege($1, $2, $3) as allowed', [
            `${schema}_app`,
            `${schema}.audit_entry`,
            right,
          ]);
        expect([schema, right, row?.allowed]).toEqual([schema, right, false]);
      }
    }
  });
});
