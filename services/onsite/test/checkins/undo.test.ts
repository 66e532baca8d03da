import { describe, expect, test } from 'vitest';
import { call, onsite, scope, useOnsite } from '../context.ts';
import { createTestRegistration, errorReason, succeeded } from '../fixtures.ts';

useOnsite();

const path = () => `/v1/events/${scope.eventId}/checkins`;
const undo = (id: string, body: unknown = { reason: 'The wrong badge.' }) =>
  call('POST', `${path()}/${id}/undo`, { body });
const scan = (registrationId: string, headers: Record<string, string> = {}) =>
  call('POST', path(), { body: { registrationId, subjectType: 'event' }, headers });
const summary = async () => succeeded(await call('GET', `${path()}/summary`));

/** The stored row of a check-in that was undone. */
const storedUndo = async (id: string) => {
  const [row] = await onsite.sql<{ by: object; reason: string }>(
    'select undone_by as by, undo_reason as reason from onsite.checkin where id = $1',
    [id],
  );
  return row;
};

describe('undoing a check-in', () => {
  test('keeps it readable as undone and decreases the counts of its door', async () => {
    const { registrationId } = await createTestRegistration(onsite.sql, scope);
    const { checkin } = succeeded(await scan(registrationId), 201);
    expect(checkin.undoneAt).toBeNull();
    const undone = succeeded(await undo(checkin.id));
    expect(undone).toEqual({ ...checkin, undoneAt: expect.stringMatching(/Z$/) });
    expect(succeeded(await call('GET', `${path()}/${checkin.id}`))).toEqual(undone);
    expect(await summary()).toMatchObject({ checkedIn: 0, doors: [{ checkedIn: 0 }] });
    expect(await storedUndo(checkin.id)).toEqual({
      by: { type: 'key', id: '' },
      reason: 'The wrong badge.',
    });
  });

  test('makes the next scan at the door a first one', async () => {
    const { registrationId } = await createTestRegistration(onsite.sql, scope);
    const first = succeeded(await scan(registrationId), 201).checkin;
    succeeded(await undo(first.id));
    const second = succeeded(await scan(registrationId), 201);
    expect(second.alreadyCheckedIn).toBe(false);
    expect(second.checkin.id).not.toBe(first.id);
    expect(succeeded(await scan(registrationId)).checkin).toEqual(second.checkin);
    expect(await summary()).toMatchObject({ checkedIn: 1 });
  });

  test('returns the same for a repeat, and keeps the first reason', async () => {
    const { registrationId } = await createTestRegistration(onsite.sql, scope);
    const { id } = succeeded(await scan(registrationId), 201).checkin;
    const undone = succeeded(await undo(id));
    succeeded(await scan(registrationId), 201);
    expect(succeeded(await undo(id, { reason: 'Another reason.' }))).toEqual(undone);
    expect(await storedUndo(id)).toMatchObject({ reason: 'The wrong badge.' });
    expect(await summary()).toMatchObject({ checkedIn: 1 });
  });

  test('without a body names the reason that is missing', async () => {
    const { registrationId } = await createTestRegistration(onsite.sql, scope);
    const { id } = succeeded(await scan(registrationId), 201).checkin;
    for (const options of [{}, { body: {} }]) {
      const { status, body } = await call('POST', `${path()}/${id}/undo`, options);
      expect([status, body.error.details]).toEqual([
        400,
        [{ field: 'reason', issue: 'is required', code: 'required' }],
      ]);
    }
  });

  test('happens once for concurrent requests', async () => {
    const { registrationId } = await createTestRegistration(onsite.sql, scope);
    const { id } = succeeded(await scan(registrationId), 201).checkin;
    const undone = await Promise.all(Array.from({ length: 20 }, () => undo(id)));
    expect(new Set(undone.map((each) => succeeded(each).undoneAt)).size).toBe(1);
    expect(await summary()).toMatchObject({ checkedIn: 0 });
  });

  test('undoes nothing if the count of the door does not change with it', async () => {
    const { registrationId } = await createTestRegistration(onsite.sql, scope);
    const { checkin } = succeeded(await scan(registrationId), 201);
    /** The unit of all parts of the count, whichever connection the undo uses. */
    const setUnit = (businessUnitId: string) =>
      onsite.sql(
        `insert into onsite.checkin_count (event_id, subject_type, subject_id, part, business_unit_id, checked_in, overruled, last_checkin_at)
         select $1, 'event', $1, part, $2, 0, 0, now() from generate_series(0, 15) part
         on conflict (event_id, subject_type, subject_id, part) do update set business_unit_id = $2`,
        [scope.eventId, businessUnitId],
      );
    await setUnit('unit_other');
    expect((await undo(checkin.id)).status).toBe(500);
    expect(succeeded(await call('GET', `${path()}/${checkin.id}`))).toEqual(checkin);
    expect(await storedUndo(checkin.id)).toEqual({ by: null, reason: null });
    await setUnit(scope.businessUnitId);
    expect(await summary()).toMatchObject({ checkedIn: 1 });
    expect(succeeded(await undo(checkin.id)).undoneAt).not.toBeNull();
    expect(await summary()).toMatchObject({ checkedIn: 0 });
  });

  test('is possible while catalog and registration are unavailable', async () => {
    const { registrationId } = await createTestRegistration(onsite.sql, scope);
    const { id } = succeeded(await scan(registrationId), 201).checkin;
    onsite.owners.catalogIsUnavailable = true;
    onsite.owners.registrationIsUnavailable = true;
    const undone = await undo(id);
    onsite.owners.registrationIsUnavailable = false;
    expect(succeeded(undone).undoneAt).not.toBeNull();
  });

  test('does not write the check-in of a retried request again', async () => {
    const { registrationId } = await createTestRegistration(onsite.sql, scope);
    const key = { 'idempotency-key': `scan-${registrationId}` };
    const { id } = succeeded(await scan(registrationId, key), 201).checkin;
    succeeded(await undo(id));
    // As if the process had ended before it stored the response.
    await onsite.sql(
      `update onsite.idempotency_key set response_status = null, response_body = null, lease_until = now()
       where key = $1`,
      [key['idempotency-key']],
    );
    const retried = succeeded(await scan(registrationId, key), 201);
    expect(retried.checkin).toMatchObject({ id, undoneAt: expect.any(String) });
    expect(await summary()).toMatchObject({ checkedIn: 0 });
  });

  test('names the field of an invalid reason and changes nothing', async () => {
    const { registrationId } = await createTestRegistration(onsite.sql, scope);
    const { id } = succeeded(await scan(registrationId), 201).checkin;
    for (const reason of [undefined, null, '', ' ', 'x'.repeat(201), 7]) {
      expect(errorReason(await undo(id, { reason }))).toEqual([400, 'reason']);
    }
    expect(succeeded(await call('GET', `${path()}/${id}`)).undoneAt).toBeNull();
  });

  test('is the same 404 for an unknown check-in and for one of another event or unit', async () => {
    const { registrationId } = await createTestRegistration(onsite.sql, scope);
    const { id } = succeeded(await scan(registrationId), 201).checkin;
    const stranger = await onsite.as('unit_other');
    const body = { reason: 'A mistake.' };
    const foreign = await stranger('POST', `${path()}/${id}/undo`, { body });
    const elsewhere = await call('POST', `/v1/events/evt_other/checkins/${id}/undo`, { body });
    const unknown = await undo('chk_unknown');
    expect([foreign.status, elsewhere.status, unknown.status]).toEqual([404, 404, 404]);
    expect([foreign.body, elsewhere.body]).toEqual([unknown.body, unknown.body]);
    expect(succeeded(await call('GET', `${path()}/${id}`)).undoneAt).toBeNull();
  });
});
