import { codeStatuses } from '@event-api/contracts/http/redemption-codes';
import {
  type RegistrationStatus,
  registrationStatuses,
} from '@event-api/contracts/http/registrations';
import { runAsActor } from '@event-api/platform/core/actor';
import { changeTypesOf, typesOf, writtenChanges } from '@event-api/platform/testing/changes';
import { eventually } from '@event-api/platform/testing/eventually';
import type { TestResponse } from '@event-api/platform/testing/http-client';
import { describe, expect, test } from 'vitest';
import { registrationTransitions } from '../src/seats/seats.rules.ts';
import { orders } from './admission/orders.ts';
import {
  call,
  currentEvent,
  eventPath,
  inside,
  operator,
  scope,
  service,
  typeId,
  useRegistration,
} from './context.ts';
import { changeType, createTestTicketType, someEmail } from './fixtures.ts';
import { register, succeeded } from './projection-fixtures.ts';

useRegistration({ ticketType: { capacity: 1, allowWaitlist: true } });

const { seat, reservationInput, reserve, fulfil, revoke } = orders(currentEvent);

/** Runs `work` and returns the changes that it causes. */
async function changesOf(work: () => Promise<unknown>) {
  const before = await writtenChanges(service, 'registration');
  await work();
  return (await writtenChanges(service, 'registration')).slice(before.length);
}

const versionOf = async (table: string, id: string): Promise<number> => {
  const [row] = await service.sql<{ version: string }>(
    `select version from registration.${table} where id = $1`,
    [id],
  );
  return Number(row?.version);
};

const key = { type: 'key', id: '' };
const waitlist = { type: 'system', id: 'waitlist' };
const status = (value: string) => ({ status: value });

const join = (fields: object = {}) =>
  register(call, scope, { registrationTypeId: typeId, ...fields });
const pathOf = (id: string) => `${eventPath}/registrations/${id}`;
const act = (id: string, action: string) => call('POST', `${pathOf(id)}/${action}`);
const confirm = (registrationId: string) =>
  operator('POST', '/operator/registration.confirm', { body: { ...scope, registrationId } });
const applicationType = () =>
  createTestTicketType(service.sql, scope, { requiresApproval: true, allowWaitlist: true });

/** Creates a registration with this status. */
async function registrationWith(from: string): Promise<string> {
  if (from === 'pending') return (await join({ registrationTypeId: await applicationType() })).id;
  const first = await join();
  if (from === 'confirmed') return first.id;
  return (await join()).id;
}

describe('a registration', () => {
  test.each(['confirmed', 'waitlisted', 'pending'])(
    'reports its creation as %s, with its version and the key',
    async (from) => {
      let id = '';
      const changes = await changesOf(async () => {
        id = await registrationWith(from);
      });
      expect(changes.filter(({ object }) => object.id === id)).toEqual([
        {
          id: expect.stringMatching(/^chg_/),
          type: 'registration.created',
          eventId: scope.eventId,
          object: { type: 'registration', id, version: await versionOf('registration', id) },
          previous: null,
          current: status(from),
          actor: key,
        },
      ]);
    },
  );

  /** Reports the move of a registration, caused by `move`, once. `actor` is who causes it. */
  async function expectMove(
    id: string,
    [from, to]: readonly [RegistrationStatus, RegistrationStatus],
    move: () => Promise<TestResponse>,
    actor: object = key,
  ): Promise<void> {
    const changes = await changesOf(async () => {
      succeeded(await move());
      await move();
    });
    const version = await versionOf('registration', id);
    // A seat of a larger capacity is first offered, which is a command of its own.
    const own = changes.filter(
      ({ object, type }) => object.id === id && type !== 'registration.seat_offered',
    );
    expect(own).toMatchObject([
      {
        type: `registration.${to}`,
        object: { id, version },
        previous: status(from),
        current: status(to),
        actor,
      },
    ]);
  }

  /** How each transition of the lifecycle comes about. */
  const moves: Record<string, () => Promise<void>> = {};
  for (const [from, to, action] of [
    ['pending', 'confirmed', 'approve'],
    ['pending', 'rejected', 'reject'],
    ['pending', 'cancelled', 'cancel'],
    ['confirmed', 'cancelled', 'cancel'],
    ['waitlisted', 'cancelled', 'cancel'],
  ] as const) {
    moves[`${from} > ${to}`] = async () => {
      const id = await registrationWith(from);
      await expectMove(id, [from, to], () => act(id, action));
    };
  }
  // An approval without a seat.
  moves['pending > waitlisted'] = async () => {
    const type = await applicationType();
    const { id } = await join({ registrationTypeId: type });
    const { id: other } = await join({ registrationTypeId: type });
    await changeType(service.sql, type, { capacity: 1 });
    succeeded(await act(other, 'approve'));
    await expectMove(id, ['pending', 'waitlisted'], () => act(id, 'approve'));
  };
  moves['waitlisted > confirmed'] = async () => {
    const id = await registrationWith('waitlisted');
    await changeType(service.sql, typeId, { capacity: 2, priceAmount: 2500 });
    const actor = { type: 'cli', id: null };
    await expectMove(id, ['waitlisted', 'confirmed'], () => confirm(id), actor);
  };

  test('has a case for every transition of the lifecycle', () => {
    const transitions = registrationStatuses.flatMap((from) =>
      registrationTransitions[from].map((to) => `${from} > ${to}`),
    );
    expect(Object.keys(moves).toSorted()).toEqual(transitions.toSorted());
  });

  test.each(Object.entries(moves))('reports the move %s once', async (_name, expectReport) => {
    await expectReport();
  });

  test('reports a promotion on behalf of the request that releases the seat, after its change', async () => {
    const first = await join();
    const waiting = await join();
    const changes = await changesOf(async () => succeeded(await act(first.id, 'cancel')));
    expect(changes).toMatchObject([
      { type: 'registration.cancelled', object: { id: first.id }, actor: key },
      {
        type: 'registration.confirmed',
        object: { id: waiting.id, version: await versionOf('registration', waiting.id) },
        previous: status('waitlisted'),
        current: status('confirmed'),
        actor: key,
      },
    ]);
  });

  test('reports a promotion by a larger capacity on behalf of the waitlist', async () => {
    await join();
    const waiting = await join();
    await changeType(service.sql, typeId, { capacity: 2 });
    const changes = await changesOf(async () => succeeded(await call('GET', pathOf(waiting.id))));
    expect(changes).toMatchObject([
      { type: 'registration.confirmed', object: { id: waiting.id }, actor: waitlist },
    ]);
  });

  test('reports an offer of a seat, and its end', async () => {
    await changeType(service.sql, typeId, { priceAmount: 2500 });
    const first = await join();
    const waiting = await join();
    const offered = await changesOf(async () => succeeded(await act(first.id, 'cancel')));
    expect(offered).toMatchObject([
      { type: 'registration.cancelled' },
      {
        type: 'registration.seat_offered',
        object: { id: waiting.id },
        previous: status('waitlisted'),
        current: status('waitlisted'),
        actor: key,
      },
    ]);
    await service.sql(
      `update registration.seat_reservation set expires_at = date_trunc('milliseconds', clock_timestamp()) where registration_id = $1`,
      [waiting.id],
    );
    await changeType(service.sql, typeId, { closesAt: new Date() });
    const ended = await changesOf(() =>
      eventually(async () => {
        succeeded(await call('GET', pathOf(waiting.id)));
        const [row] = await service.sql<{ offer_id: string | null }>(
          'select offer_id from registration.registration where id = $1',
          [waiting.id],
        );
        expect(row?.offer_id).toBeNull();
      }),
    );
    expect(ended).toMatchObject([
      {
        type: 'registration.offer_ended',
        object: { id: waiting.id },
        previous: status('waitlisted'),
        current: status('waitlisted'),
        actor: waitlist,
      },
    ]);
  });

  test('reports an update of its name, email and ticket type, and none for a repeat', async () => {
    const { id } = await join();
    const other = await createTestTicketType(service.sql, scope);
    const patches = [{ name: 'New name' }, { email: someEmail() }, { registrationTypeId: other }];
    for (const body of patches) {
      const changes = await changesOf(async () => {
        for (let turn = 0; turn < 2; turn++) succeeded(await call('PATCH', pathOf(id), { body }));
      });
      const version = await versionOf('registration', id);
      const confirmed = status('confirmed');
      expect(changes).toMatchObject([
        {
          type: 'registration.updated',
          object: { id, version },
          previous: confirmed,
          current: confirmed,
        },
      ]);
    }
  });

  test('reports nothing when a request is rejected or finds the registration', async () => {
    const { id, email } = await join();
    const changes = await changesOf(async () => {
      const again = { email, registrationTypeId: typeId };
      succeeded(await call('POST', `${eventPath}/registrations`, { body: again }));
      expect((await act(id, 'approve')).status).toBe(412);
      expect((await act('reg_01k8zq4m3ne7rbj5t2xw9vd6ah', 'cancel')).status).toBe(404);
    });
    expect(changes).toEqual([]);
  });

  test('reports one creation for a retry with its key', async () => {
    const headers = { 'idempotency-key': 'retry-of-a-registration' };
    const body = { email: someEmail(), registrationTypeId: typeId };
    const changes = await changesOf(async () => {
      for (let turn = 0; turn < 2; turn++) {
        succeeded(await call('POST', `${eventPath}/registrations`, { body, headers }), 201);
      }
    });
    expect(changes).toMatchObject([{ type: 'registration.created' }]);
  });
});

describe('an order', () => {
  test('reports the registrations that it creates and cancels, on behalf of the key', async () => {
    await changeType(service.sql, typeId, { capacity: null });
    const actor = { type: 'key', id: 'key_01k8zq4m3ne7rbj5t2xw9vd6ah' } as const;
    const input = reservationInput([seat(), seat()]);
    const changes = await changesOf(async () => {
      await reserve(input);
      const commerce = await service.callers.signer('commerce');
      const token = await commerce.sign({ audience: 'service', actor });
      const headers = { 'x-caller': token };
      const body = { ...input, reacquire: false };
      succeeded(await inside('POST', '/internal/reservations/fulfil', { body, headers }));
      await fulfil(input);
    });
    const created = { type: 'registration.created', current: status('confirmed'), actor };
    expect(changes).toMatchObject([created, created]);
    const revoked = await changesOf(async () => {
      await revoke(input.reservationId);
      await revoke(input.reservationId);
    });
    const cancelled = { type: 'registration.cancelled', current: status('cancelled') };
    expect(revoked).toMatchObject([cancelled, cancelled]);
  });

  test('reports a registration that another order gets as updated', async () => {
    await changeType(service.sql, typeId, { capacity: null });
    const email = someEmail();
    const first = reservationInput([seat(typeId, email)]);
    const second = reservationInput([seat(typeId, email)]);
    for (const input of [first, second]) await reserve(input);
    for (const input of [first, second]) await fulfil(input);
    const changes = await changesOf(() => revoke(first.reservationId));
    expect(changes).toMatchObject([
      {
        type: 'registration.updated',
        previous: status('confirmed'),
        current: status('confirmed'),
      },
    ]);
  });
});

test('changes of one registration in one batch have increasing versions up to the stored one', async () => {
  const admission = service.replica(0).admission;
  const { id: first } = await join();
  const { id: waiting } = await join();
  const changes = await changesOf(() =>
    Promise.all([
      admission.submit(scope, { kind: 'cancel', registrationId: first }),
      admission.submit(scope, { kind: 'cancel', registrationId: waiting }),
    ]),
  );
  const ofWaiting = changes.filter(({ object }) => object.id === waiting);
  expect(ofWaiting.map(({ type }) => type)).toEqual([
    'registration.confirmed',
    'registration.cancelled',
  ]);
  const [one = 0, two = 0] = ofWaiting.map(({ object }) => object.version);
  expect(one).toBeLessThan(two);
  expect(two).toBe(await versionOf('registration', waiting));
});

test('two keys in one batch are the actors of their own changes', async () => {
  const admission = service.replica(0).admission;
  await changeType(service.sql, typeId, { capacity: null });
  const ids = [(await join()).id, (await join()).id];
  const before = await transactions();
  const changes = await changesOf(() =>
    Promise.all(
      ids.map((registrationId, n) =>
        runAsActor({ type: 'key', id: `key_${n}` }, () =>
          admission.submit(scope, { kind: 'cancel', registrationId }),
        ),
      ),
    ),
  );
  expect(changes).toMatchObject(
    ids.map((id, n) => ({ object: { id }, actor: { type: 'key', id: `key_${n}` } })),
  );
  expect((await transactions()).size).toBe(before.size + 1);
});

/** The transactions that have written changes. */
async function transactions(): Promise<Set<string>> {
  const rows = await service.sql<{ id: string }>(
    'select xmin::text as id from registration.change_inbox',
  );
  return new Set(rows.map(({ id }) => id));
}

describe('a redemption code', () => {
  const codesPath = () => `${eventPath}/redemption-codes`;

  test('reports its creation, also in a batch, and its disabling once', async () => {
    let ids: string[] = [];
    const created = await changesOf(async () => {
      const body = { registrationTypeId: typeId, count: 3 };
      const codes = succeeded(await call('POST', codesPath(), { body }), 201).redemptionCodes;
      ids = (codes as { id: string }[]).map((code) => code.id);
    });
    const versions = await Promise.all(ids.map((id) => versionOf('redemption_code', id)));
    expect(created).toMatchObject(
      ids.map((id, n) => ({
        type: 'redemption_code.created',
        object: { type: 'redemption_code', id, version: versions[n] },
        previous: null,
        current: status('active'),
        actor: key,
      })),
    );
    const [id = ''] = ids;
    const disabled = await changesOf(async () => {
      for (let turn = 0; turn < 2; turn++) {
        succeeded(await call('POST', `${codesPath()}/${id}/disable`));
      }
    });
    const version = await versionOf('redemption_code', id);
    expect(disabled).toMatchObject([
      {
        type: 'redemption_code.disabled',
        object: { id, version },
        previous: status('active'),
        current: status('disabled'),
      },
    ]);
  });

  test.each(codeStatuses)('that is %s is reported as disabled at most once', async (from) => {
    const body = { registrationTypeId: typeId };
    const [code] = succeeded(await call('POST', codesPath(), { body }), 201).redemptionCodes;
    const disable = () => call('POST', `${codesPath()}/${code.id}/disable`);
    if (from === 'disabled') succeeded(await disable());
    const changes = await changesOf(async () => succeeded(await disable()));
    const moved = { previous: status(from), current: status('disabled') };
    expect(changes).toMatchObject(from === 'disabled' ? [] : [moved]);
  });

  test.each(codeStatuses)(
    'that is %s reports a change of its fields, and not a repeat',
    async (from) => {
      const body = { registrationTypeId: typeId, maxUses: 3 };
      const [{ id }] = succeeded(await call('POST', codesPath(), { body }), 201).redemptionCodes;
      if (from === 'disabled') succeeded(await call('POST', `${codesPath()}/${id}/disable`));
      const expiresAt = '2999-01-01T00:00:00.000Z';
      const update = async (fields: object) => {
        const body = { ...scope, redemptionCodeId: id, ...fields };
        return succeeded(await operator('POST', '/operator/code.update', { body }));
      };
      for (const fields of [{ label: 'Press' }, { maxUses: null }, { expiresAt }]) {
        const changes = await changesOf(() => update(fields));
        const version = await versionOf('redemption_code', id);
        expect(changes).toMatchObject([
          {
            type: 'redemption_code.updated',
            object: { type: 'redemption_code', id, version },
            previous: status(from),
            current: status(from),
          },
        ]);
        const again = await changesOf(async () => {
          expect(await update(fields)).toMatchObject(fields);
        });
        expect(again).toEqual([]);
      }
      expect(await changesOf(() => update({}))).toEqual([]);
    },
  );

  test('reports one disabling for concurrent requests', async () => {
    const body = { registrationTypeId: typeId, code: 'CONCURRENT' };
    const [code] = succeeded(await call('POST', codesPath(), { body }), 201).redemptionCodes;
    const changes = await changesOf(() =>
      Promise.all(
        Array.from({ length: 8 }, () => call('POST', `${codesPath()}/${code.id}/disable`)),
      ),
    );
    expect(changes).toMatchObject([{ type: 'redemption_code.disabled' }]);
  });

  test('reports nothing for its uses', async () => {
    const body = { registrationTypeId: typeId, code: 'USED' };
    succeeded(await call('POST', codesPath(), { body }), 201);
    const changes = await changesOf(() => join({ redemptionCode: 'USED' }));
    expect(changes).toMatchObject([{ type: 'registration.created' }]);
  });
});

test('no change contains an email, a name, a badge code or a redemption code', async () => {
  const body = { registrationTypeId: typeId, code: 'CANARY-CODE' };
  succeeded(await call('POST', `${eventPath}/redemption-codes`, { body }), 201);
  const person = await join({ name: 'Canary Person', redemptionCode: 'CANARY-CODE' });
  const feed = JSON.stringify(await writtenChanges(service, 'registration'));
  for (const secret of [person.email, 'Canary Person', person.checkinCode, 'CANARY-CODE']) {
    expect(feed).not.toContain(secret);
  }
});

test('every type of change of registration is reported by a test of this file', async () => {
  const seen = typesOf(await writtenChanges(service, 'registration'));
  expect(seen).toEqual(changeTypesOf('registration', 'redemption_code'));
});
