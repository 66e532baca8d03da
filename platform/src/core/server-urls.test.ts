import { describe, expect, test } from 'vitest';
import { decideTls, serverUrl, tlsOptions } from './server-urls.ts';

const postgres = 'postgres://catalog_app:hunter2@db/event_api';

test.each([
  [postgres, { outcome: 'plain' }],
  [`${postgres}?sslmode=disable`, { outcome: 'plain' }],
  [`${postgres}?sslmode=verify-full`, { outcome: 'tls', caFile: null }],
  [
    `${postgres}?sslmode=verify-full&sslrootcert=/run/ca.crt`,
    { outcome: 'tls', caFile: '/run/ca.crt' },
  ],
  ['nats://catalog:hunter2@nats:4222', { outcome: 'plain' }],
  ['tls://catalog:hunter2@nats:4222', { outcome: 'tls', caFile: null }],
  ['tls://catalog:hunter2@nats:4222?ca=/run/ca.crt', { outcome: 'tls', caFile: '/run/ca.crt' }],
  ['redis://redis:6379', { outcome: 'plain' }],
  ['rediss://redis:6379?ca=/run/ca.crt', { outcome: 'tls', caFile: '/run/ca.crt' }],
])('decides for %s', (address, decision) => {
  expect(decideTls(address)).toEqual(decision);
});

// Each of these would connect without TLS, or without verifying the server.
test.each([
  `${postgres}?sslmode=prefer`,
  `${postgres}?sslmode=require`,
  `${postgres}?sslmode=verify-ca`,
  `${postgres}?sslmode=no-verify`,
  `${postgres}?sslrootcert=/run/ca.crt`,
  `${postgres}?sslmode=disable&sslrootcert=/run/ca.crt`,
  'nats://nats:4222?ca=/run/ca.crt',
  'redis://redis:6379?ca=/run/ca.crt',
])('rejects %s', (address) => {
  expect(decideTls(address).outcome).toBe('invalid');
});

describe('serverUrl', () => {
  const schema = serverUrl(/^(nats|tls)$/, 'must be a nats:// or tls:// URL');

  test('rejects an authority that cannot be read, without its path', () => {
    const result = schema.safeParse('tls://nats:4222?ca=/does/not/exist.crt');
    expect(result.error?.issues.map(({ message }) => message)).toEqual([
      'names a file that cannot be read',
    ]);
  });

  test('accepts one that can be read', () => {
    const address = `tls://nats:4222?ca=${import.meta.filename}`;
    expect(schema.safeParse(address).success).toBe(true);
    expect(tlsOptions(address)?.ca).toContain('accepts one that can be read');
  });
});
