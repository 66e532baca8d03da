import { httpClient } from '@event-api/platform/testing/http-client';
import { describe, expect, test } from 'vitest';
import { listNewestConflicts } from '../../src/checkins/conflicts/conflicts.queries.ts';
import { onsite, operator, scope, useOnsite } from '../context.ts';
import {
  createTestEvent,
  createTestRegistration,
  errorReason,
  stubBadgeResponse,
  succeeded,
} from '../fixtures.ts';
import { device, report, scanOf } from './devices.ts';

useOnsite();

const list = async (fields: Record<string, unknown> = {}) =>
  operator('POST', '/operator/checkin.listConflicts', { body: { ...scope, ...fields } });
const conflicts = async () => succeeded(await list()).conflicts;

/** Undoes a check-in as an operator. */
async function undo(id: string, reason: string) {
  const gateway = await onsite.callers.signer('gateway');
  const token = await gateway.sign({
    audience: 'api',
    businessUnitId: scope.businessUnitId,
    actor: { type: 'operator', id: 'opr_1' },
  });
  const client = httpClient(onsite.replica(0).apiUrl, { 'x-caller': token });
  const path = `/v1/events/${scope.eventId}/checkins/${id}/undo`;
  return succeeded(await client('POST', path, { body: { reason } }));
}

/** Two devices let one badge in. Returns the check-in and the id of the second scan. */
async function contest(name = 'Ada Lovelace') {
  const { registrationId } = await createTestRegistration(onsite.sql, scope, { name });
  const [{ checkin }] = await report(await device('dev_1'), [scanOf({ registrationId })]);
  const second = scanOf({ registrationId });
  await report(await device('dev_2'), [second]);
  return { checkin, scanId: second.scanId };
}

describe('the conflicts of an event', () => {
  test('contain a contested scan with both devices and times, and with the person', async () => {
    const { checkin, scanId } = await contest();
    const [conflict, ...others] = await conflicts();
    expect(others).toEqual([]);
    expect(conflict).toEqual({
      kind: 'contested',
      id: scanId,
      recordedAt: expect.stringMatching(/Z$/),
      occurredAt: expect.stringMatching(/Z$/),
      checkin,
      name: 'Ada Lovelace',
      source: 'dev_2',
      other: { source: 'dev_1', occurredAt: checkin.checkedInAt },
      first: 'unknown',
    });
  });

  test('contain an overruled scan with the rule, and an undo with its reason, newest first', async () => {
    const badge = await createTestRegistration(onsite.sql, scope, { status: 'cancelled' });
    stubBadgeResponse(onsite.owners, scope, badge, { status: 'cancelled' });
    const [{ checkin }] = await report(await device('dev_1'), [scanOf(badge)]);
    const overruled = { kind: 'overruled', source: 'dev_1', reason: 'NOT_CONFIRMED' };
    expect(await conflicts()).toMatchObject([{ ...overruled, checkin }]);
    const undone = await undo(checkin.id, 'The wrong badge.');
    expect(await conflicts()).toMatchObject([
      {
        kind: 'undone',
        id: checkin.id,
        checkin: undone,
        source: 'opr_1',
        reason: 'The wrong badge.',
      },
      { ...overruled, checkin: undone },
    ]);
  });

  test('do not contain scans that were recorded, repeated or refused', async () => {
    const { registrationId } = await createTestRegistration(onsite.sql, scope);
    const scanner = await device('dev_1');
    await report(scanner, [
      scanOf({ registrationId }),
      scanOf({ registrationId }),
      scanOf({ registrationId, decision: 'refused' }),
      scanOf({ checkinCode: 'CHK-NOBODY' }),
    ]);
    expect(await conflicts()).toEqual([]);
  });

  test('are listed page by page without gaps', async () => {
    const { checkin } = await contest('One');
    await contest('Two');
    await undo(checkin.id, 'A test.');
    await contest('Three');
    const all = await conflicts();
    expect(all.map(({ kind, name }: { kind: string; name: string }) => `${kind} ${name}`)).toEqual([
      'contested Three',
      'undone One',
      'contested Two',
      'contested One',
    ]);
    const first = succeeded(await list({ limit: 3 }));
    const rest = succeeded(await list({ limit: 3, cursor: first.nextCursor }));
    expect([...first.conflicts, ...rest.conflicts]).toEqual(all);
    expect(rest.nextCursor).toBeNull();
    expect(errorReason(await list({ cursor: 'x' }))).toEqual([400, 'cursor']);
  });

  test('are not found through another business unit', async () => {
    await contest();
    const stranger = await createTestEvent(onsite);
    const { eventId } = scope;
    const foreign = await list({ businessUnitId: stranger.businessUnitId, eventId });
    const missing = await list({ businessUnitId: stranger.businessUnitId, eventId: 'evt_missing' });
    expect(foreign.status).toBe(404);
    expect(foreign.body.error.code).toEqual(missing.body.error.code);
    expect(
      await listNewestConflicts(
        onsite.replica(0).db,
        { ...scope, ...{ businessUnitId: stranger.businessUnitId } },
        ['infinity', ''],
        10,
      ),
    ).toEqual([]);
  });
});
