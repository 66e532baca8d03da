import { listChanges } from '@event-api/contracts/http/changes';
import { createCheckin } from '@event-api/contracts/http/checkins';
import { createEvent, getEvent, listEvents } from '@event-api/contracts/http/events';
import { listWebhookEndpoints } from '@event-api/contracts/http/webhook-endpoints';
import { readBadge } from '@event-api/contracts/internal/badges';
import type { Operation } from '@event-api/contracts/operation';
import { listEvents as listEventsOfUnit } from '@event-api/contracts/operator/events';
import { createKey, revokeKey, updateKey } from '@event-api/contracts/operator/keys';
import { listRefunds, reconcileCommerce } from '@event-api/contracts/operator/refunds';
import { compareRestored } from '@event-api/contracts/operator/restore';
import { createUnit } from '@event-api/contracts/operator/units';
import {
  permissionsOfDevice,
  permissionsOfGroups,
  permissionsOfRole,
} from '@event-api/contracts/permissions';
import { describe, expect, test } from 'vitest';
import { mayCall, type PermittedCaller } from './may-call.ts';

const own = 'unit_own';
const foreign = 'unit_foreign';
const anyone: PermittedCaller = {
  issuer: 'gateway',
  businessUnitId: own,
  permissions: null,
  events: null,
  doors: null,
};

const owner: PermittedCaller = {
  ...anyone,
  issuer: 'console',
  permissions: permissionsOfRole('owner'),
};
const viewer: PermittedCaller = { ...owner, permissions: permissionsOfRole('viewer') };
const administrator: PermittedCaller = {
  ...owner,
  businessUnitId: '',
  permissions: ['platform'],
};
/** For a command that names a unit, of which the administrator is no member. */
const administratorOf: PermittedCaller = { ...administrator, businessUnitId: own };
const ownerAndAdministrator: PermittedCaller = {
  ...owner,
  permissions: [...permissionsOfRole('owner'), 'platform'],
};

describe('mayCall decides by the business unit in the body of a command', () => {
  test.each<[string, PermittedCaller, Operation, object, string]>([
    ['the own unit', owner, listEventsOfUnit, { businessUnitId: own }, 'allowed'],
    ['another unit', owner, listEventsOfUnit, { businessUnitId: foreign }, 'unit_mismatch'],
    ['another unit', administrator, compareRestored, { businessUnitId: own }, 'unit_mismatch'],
    ['a unit that is no text', owner, listEventsOfUnit, { businessUnitId: 7 }, 'unit_mismatch'],
    ['no permission', viewer, createKey, { businessUnitId: own }, 'permission_denied'],
    ['no permission', viewer, createKey, { businessUnitId: foreign }, 'permission_denied'],
    ['no unit', owner, revokeKey, { id: 'key_1' }, 'permission_denied'],
    ['no unit', ownerAndAdministrator, revokeKey, { id: 'key_1' }, 'permission_denied'],
    ['no unit', owner, listRefunds, {}, 'permission_denied'],
    ['no unit', ownerAndAdministrator, listRefunds, {}, 'permission_denied'],
    ['the own unit', owner, reconcileCommerce, { businessUnitId: own }, 'allowed'],
    ['a unit', administratorOf, reconcileCommerce, { businessUnitId: own }, 'permission_denied'],
    ['a unit', administratorOf, compareRestored, { businessUnitId: own }, 'allowed'],
    ['the own unit', ownerAndAdministrator, reconcileCommerce, { businessUnitId: own }, 'allowed'],
    ['no unit', owner, reconcileCommerce, {}, 'permission_denied'],
    ['no unit', administrator, reconcileCommerce, {}, 'allowed'],
    ['no unit', administrator, createUnit, { name: 'New' }, 'allowed'],
    ['no unit', { ...anyone, issuer: 'admin' }, revokeKey, { id: 'key_1' }, 'allowed'],
  ])('%s (%o, %o)', (_, caller, operation, body, outcome) => {
    expect(mayCall(caller, operation, {}, body).outcome).toBe(outcome);
  });

  test.each([
    [createKey, 'rateLimitPerMinute', 500],
    [createKey, 'checkinRateLimitPerMinute', 500],
    [createKey, 'version', '2026-08-22'],
    [createKey, 'secret', 'sk_live_x'],
    [updateKey, 'rateLimitPerMinute', null],
    [updateKey, 'checkinRateLimitPerMinute', 500],
  ])('%o with %s only for administrators of the platform', (operation, field, value) => {
    const body = { businessUnitId: own, name: 'Box office' };
    expect(mayCall(owner, operation, {}, body).outcome).toBe('allowed');
    const more = { ...body, [field]: value };
    expect(mayCall(owner, operation, {}, more).outcome).toBe('permission_denied');
    expect(mayCall(ownerAndAdministrator, operation, {}, more).outcome).toBe('allowed');
  });
});

describe('mayCall decides by the events of the caller', () => {
  const caller = {
    ...anyone,
    permissions: permissionsOfGroups(['read', 'manage']),
    events: ['evt_1', 'evt_2'],
  };

  test.each<[Operation, Record<string, string>, string]>([
    [getEvent, { eventId: 'evt_1' }, 'allowed'],
    [getEvent, { eventId: 'evt_3' }, 'event_not_visible'],
    [listEvents, {}, 'allowed'],
    [createEvent, {}, 'permission_denied'],
    [listChanges, {}, 'permission_denied'],
    [listWebhookEndpoints, {}, 'permission_denied'],
    [createCheckin, { eventId: 'evt_3' }, 'permission_denied'],
  ])('%o in %o', (operation, params, outcome) => {
    expect(mayCall(caller, operation, params).outcome).toBe(outcome);
  });

  test('although its token names no permissions', () => {
    const limited = { ...caller, permissions: null };
    expect(mayCall(limited, getEvent, { eventId: 'evt_1' }).outcome).toBe('allowed');
    expect(mayCall(limited, getEvent, { eventId: 'evt_3' }).outcome).toBe('event_not_visible');
  });
});

describe('mayCall decides by the doors of the caller', () => {
  const device = {
    ...anyone,
    permissions: permissionsOfDevice,
    events: ['evt_1'],
    doors: ['evt_1', 'ses_1'],
  };

  test.each([
    [{ subjectType: 'event' }, 'allowed'],
    [{ subjectType: 'event', subjectId: 'evt_1' }, 'allowed'],
    [{ subjectType: 'event', subjectId: 'evt_2' }, 'door_not_visible'],
    [{ subjectType: 'session', subjectId: 'ses_1' }, 'allowed'],
    [{ subjectType: 'session', subjectId: 'ses_2' }, 'door_not_visible'],
    [{ subjectType: 'venue' }, 'door_not_visible'],
  ])('%o', (body, outcome) => {
    expect(mayCall(device, createCheckin, { eventId: 'evt_1' }, body).outcome).toBe(outcome);
  });

  test('and by none if it has no list of doors', () => {
    const body = { subjectType: 'session', subjectId: 'ses_2' };
    const caller = { ...device, doors: null };
    expect(mayCall(caller, createCheckin, { eventId: 'evt_1' }, body).outcome).toBe('allowed');
  });
});

test('mayCall requires no permission between processes', () => {
  const caller = { ...anyone, issuer: 'console', permissions: [] };
  expect(mayCall(caller, readBadge, {}, {}).outcome).toBe('allowed');
});
