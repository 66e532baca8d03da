import type { EndpointStatus } from '@event-api/contracts/http/webhook-endpoints';
import { describe, expect, test } from 'vitest';
import {
  attemptIdOf,
  attemptNumberOf,
  decideReplay,
  decideTest,
  decideUpdate,
  decideUrl,
  newPing,
  noPing,
  rotatedSecrets,
} from './webhooks.rules.ts';

const now = new Date('2027-05-10T07:00:00.000Z');
const hours = (count: number) => new Date(now.getTime() + count * 3_600_000);

const isBlocked = (hostname: string) => hostname === '10.1.2.3';

describe('the URL of an endpoint', () => {
  test.each([
    ['https://shop.example/webhooks', 'https://shop.example/webhooks'],
    ['https://shop.example', 'https://shop.example/'],
    ['https://shop.example:443/a?b=c', 'https://shop.example/a?b=c'],
    ['https://shop.example:8443/a', 'https://shop.example:8443/a'],
    ['HTTPS://SHOP.example/A', 'https://shop.example/A'],
    ['https://bücher.example/', 'https://xn--bcher-kva.example/'],
    ['https://93.184.215.14/a', 'https://93.184.215.14/a'],
  ])('can be %s', (text, url) => {
    expect(decideUrl(text, false, isBlocked)).toEqual({ outcome: 'accepted', url });
  });

  test.each([
    ['text', 'must be a URL'],
    ['//shop.example/', 'must be a URL'],
    ['http://shop.example/', 'must be an https:// URL'],
    ['ftp://shop.example/', 'must be an https:// URL'],
    ['javascript:alert(1)', 'must be an https:// URL'],
    ['https://shop.example:8080/', 'must have the port 443 or 8443'],
    ['https://shop.example:80/', 'must have the port 443 or 8443'],
    ['https://user@shop.example/', 'must not contain a user name or a password'],
    ['https://:secret@shop.example/', 'must not contain a user name or a password'],
    ['https://shop.example/#part', 'must not contain a fragment'],
  ])('cannot be %s', (text, issue) => {
    for (const allowLoopback of [false, true]) {
      expect(decideUrl(text, allowLoopback, isBlocked)).toEqual({ outcome: 'invalid', issue });
    }
  });

  test.each([
    'https://localhost/',
    'https://LOCALHOST./',
    'https://api.localhost/',
    'https://127.0.0.1/',
    'https://127.1/',
    'https://2130706433/',
    'https://0x7f.1/',
    'https://0177.0.0.1/',
    'https://[::1]/',
    'https://[0:0:0:0:0:0:0:1]/',
    'http://127.0.0.1:3000/',
  ])('can be %s only if loopback is allowed', (text) => {
    expect(decideUrl(text, false, isBlocked)).toEqual({ outcome: 'address_not_allowed' });
    expect(decideUrl(text, true, isBlocked)).toMatchObject({ outcome: 'accepted' });
  });

  test('cannot be an address to which delivery never connects', () => {
    for (const allowLoopback of [false, true]) {
      const decision = decideUrl('https://10.1.2.3/', allowLoopback, isBlocked);
      expect(decision).toEqual({ outcome: 'address_not_allowed' });
    }
  });

  test('of another host needs HTTPS also if loopback is allowed', () => {
    for (const host of ['localhost.example', '127.0.0.1.example', 'notlocalhost', '192.168.0.1']) {
      expect(decideUrl(`http://${host}/`, true, isBlocked)).toMatchObject({ outcome: 'invalid' });
    }
  });
});

const endpoint = {
  status: 'enabled' as EndpointStatus,
  url: 'https://shop.example/',
  types: ['order.paid', 'order.refunded'],
  watermark: 40,
};
const context = { now, pingId: 'png_1', headSequence: 50, floor: 10, isFull: false };
const pending = { status: 'pending', disabledReason: null, ...newPing('png_1', now) };
const noFailures = { failures: 0, failingSince: null, backoffUntil: null };

describe('an update', () => {
  test.each([
    ['enabled', {}],
    ['enabled', { status: 'enabled' }],
    ['enabled', { status: 'enabled', resumeFrom: 'now' }],
    ['pending', { status: 'enabled' }],
    ['pending', { status: 'pending' }],
    ['enabled', { status: 'pending' }],
    ['disabled', { status: 'disabled' }],
    ['enabled', { url: 'https://shop.example/', types: ['order.refunded', 'order.paid'] }],
  ] as const)('of an endpoint that is %s changes nothing: %j', (status, patch) => {
    expect(decideUpdate({ ...endpoint, status }, { ...patch } as never, context)).toEqual({
      outcome: 'unchanged',
    });
  });

  test('cannot make a disabled endpoint pending', () => {
    const disabled = { ...endpoint, status: 'disabled' as const };
    expect(decideUpdate(disabled, { status: 'pending' }, context)).toEqual({
      outcome: 'invalid_transition',
      from: 'disabled',
      to: 'pending',
    });
  });

  test('disables a pending or enabled endpoint and ends its ping', () => {
    for (const status of ['pending', 'enabled'] as const) {
      expect(decideUpdate({ ...endpoint, status }, { status: 'disabled' }, context)).toEqual({
        outcome: 'changed',
        changes: { status: 'disabled', disabledReason: 'requested', ...noPing },
        lanes: 'keep',
        isDisabled: true,
      });
    }
  });

  test('that enables a disabled endpoint makes it pending after its watermark', () => {
    const disabled = { ...endpoint, status: 'disabled' as const };
    expect(decideUpdate(disabled, { status: 'enabled' }, context)).toEqual({
      outcome: 'changed',
      changes: { ...pending, ...noFailures },
      lanes: 'retry_now',
      isDisabled: false,
    });
  });

  test('with `resumeFrom: now` continues at the head and drops what has failed', () => {
    for (const status of ['pending', 'disabled'] as const) {
      const patch = { status: 'enabled', resumeFrom: 'now' } as const;
      expect(decideUpdate({ ...endpoint, status, watermark: 5 }, patch, context)).toMatchObject({
        outcome: 'changed',
        changes: { watermark: 50, next: 51 },
        lanes: 'delete',
      });
    }
  });

  test('cannot enable an endpoint while the unit is full', () => {
    const full = { ...context, isFull: true };
    const disabled = { ...endpoint, status: 'disabled' as const };
    expect(decideUpdate(disabled, { status: 'enabled' }, full)).toEqual({ outcome: 'too_many' });
    expect(decideUpdate(endpoint, { status: 'enabled' }, full)).toEqual({ outcome: 'unchanged' });
  });

  test('cannot continue after a watermark whose changes are not kept', () => {
    const disabled = { ...endpoint, status: 'disabled' as const };
    const at = (watermark: number) =>
      decideUpdate({ ...disabled, watermark }, { status: 'enabled' }, context).outcome;
    expect(at(9)).toBe('expired');
    expect(at(10)).toBe('changed');
  });

  test('with a new URL makes an active endpoint pending, and leaves a disabled one disabled', () => {
    const url = 'https://other.example/';
    for (const status of ['pending', 'enabled'] as const) {
      expect(decideUpdate({ ...endpoint, status }, { url }, context)).toEqual({
        outcome: 'changed',
        changes: { url, ...pending, ...noFailures },
        lanes: 'retry_now',
        isDisabled: false,
      });
    }
    expect(decideUpdate({ ...endpoint, status: 'disabled' }, { url }, context)).toEqual({
      outcome: 'changed',
      changes: { url },
      lanes: 'keep',
      isDisabled: false,
    });
  });

  test('of the types keeps the status', () => {
    for (const types of [null, ['order.paid' as const]]) {
      expect(decideUpdate(endpoint, { types }, context)).toEqual({
        outcome: 'changed',
        changes: { types },
        lanes: 'keep',
        isDisabled: false,
      });
    }
  });
});

describe('a rotation', () => {
  test('keeps the replaced secret for 24 hours', () => {
    expect(rotatedSecrets('a', [], now)).toEqual([{ secret: 'a', until: hours(24).toISOString() }]);
  });

  test('keeps the secrets of earlier rotations until their time, at most four in all', () => {
    const previous = ['e', 'd', 'c', 'b'].map((secret, n) => ({
      secret,
      until: hours(3 - n).toISOString(),
    }));
    // The last one ends now.
    expect(rotatedSecrets('f', previous, now).map(({ secret }) => secret)).toEqual([
      'f',
      'e',
      'd',
      'c',
    ]);
    const valid = previous.map((each) => ({ ...each, until: hours(1).toISOString() }));
    expect(rotatedSecrets('f', valid, now)).toHaveLength(4);
  });
});

describe('a test', () => {
  test('of a disabled endpoint sends nothing', () => {
    expect(decideTest({ status: 'disabled', pingUntil: null }, 'png_2', now)).toEqual({
      outcome: 'disabled',
    });
  });

  test('does not extend the hour of a pending endpoint', () => {
    const pingUntil = hours(0.5);
    expect(decideTest({ status: 'pending', pingUntil }, 'png_2', now)).toEqual({
      outcome: 'ping',
      ping: { pingId: 'png_2', pingAttempts: 0, pingAt: now, pingUntil },
    });
    expect(decideTest({ status: 'enabled', pingUntil: null }, 'png_2', now)).toEqual({
      outcome: 'ping',
      ping: newPing('png_2', now),
    });
  });
});

describe('a replay', () => {
  const feed = {
    status: 'enabled' as EndpointStatus,
    isRunning: false,
    headSequence: 50,
    floor: 10,
    sequenceOfChange: null,
  };
  const replay = (from: number, to: number) => ({ outcome: 'replay', from, to });

  test.each([
    ['a range', { from: 11, to: 50 }, feed, replay(11, 50)],
    ['one change', { changeId: 'chg_1' }, { ...feed, sequenceOfChange: 20 }, replay(20, 20)],
    ['a pending endpoint', { from: 20, to: 21 }, { ...feed, status: 'pending' }, replay(20, 21)],
    ['an unknown change', { changeId: 'chg_1' }, feed, { outcome: 'change_unknown' }],
    [
      'a start beyond the end',
      { from: 51, to: 51 },
      feed,
      { outcome: 'beyond_end', field: 'from' },
    ],
    ['an end beyond the end', { from: 50, to: 51 }, feed, { outcome: 'beyond_end', field: 'to' }],
    ['expired changes', { from: 10, to: 20 }, feed, { outcome: 'expired' }],
    [
      'a disabled endpoint',
      { from: 20, to: 20 },
      { ...feed, status: 'disabled' },
      { outcome: 'disabled' },
    ],
    ['another replay', { from: 20, to: 20 }, { ...feed, isRunning: true }, { outcome: 'running' }],
  ] as const)('of %s', (_, input, state, decision) => {
    expect(decideReplay({ ...input } as never, state)).toEqual(decision);
  });
});

test.each([
  ['whd_1', 1],
  [attemptIdOf(Number.MAX_SAFE_INTEGER - 1), null],
  [attemptIdOf(999_999_999_999_999), 999_999_999_999_999],
  ['whd_0', null],
  ['whd_01', null],
  ['whd_-1', null],
  ['whd_1.5', null],
  ['whd_01k8zq4m3ne7rbj5t2xw9vd6ah', null],
  ['whe_1', null],
  ['1', null],
])('the id %s is that of the attempt %j', (id, number) => {
  expect(attemptNumberOf(id)).toBe(number);
});
