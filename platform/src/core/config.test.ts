import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { ConfigError, processSettings, readConfig } from './config.ts';

const jwk = { kty: 'OKP', crv: 'Ed25519', x: 'eA' };
const good = {
  PORT: '8080',
  INTERNAL_PORT: '0',
  DATABASE_URL: 'postgres://user:hunter2@db/event_api',
  CALLER_PRIVATE_KEY: JSON.stringify({ ...jwk, d: 'hunter2' }),
  CALLER_PUBLIC_KEYS: JSON.stringify({ gateway: [jwk] }),
};

const read = (env: Record<string, string | undefined>) =>
  readConfig(z.object(processSettings), { ...good, ...env });

function complaintAbout(env: Record<string, string | undefined>): string {
  try {
    read(env);
  } catch (error) {
    expect(error).toBeInstanceOf(ConfigError);
    return (error as ConfigError).message;
  }
  throw new Error('the settings were accepted');
}

describe('settings', () => {
  test('have defaults and types, and no other variables', () => {
    expect(read({ UNKNOWN: 'x' })).toEqual({
      NODE_ENV: 'production',
      HOST: '127.0.0.1',
      PORT: 8080,
      INTERNAL_PORT: 0,
      LOG_LEVEL: 'info',
      DRAIN_IDLE_TIMEOUT_MS: 3000,
      TELEMETRY_SAMPLE_RATIO: 0.05,
      DATABASE_URL: good.DATABASE_URL,
      DATABASE_POOL_MAX: 10,
      CALLER_PRIVATE_KEY: { ...jwk, d: 'hunter2' },
      CALLER_PUBLIC_KEYS: { gateway: [jwk] },
    });
  });

  test('that are empty get their default', () => {
    expect(read({ HOST: '', LOG_LEVEL: '', DATABASE_POOL_MAX: '' })).toMatchObject({
      HOST: '127.0.0.1',
      LOG_LEVEL: 'info',
      DRAIN_IDLE_TIMEOUT_MS: 3000,
      DATABASE_POOL_MAX: 10,
    });
  });

  test.each(Object.keys(good))(
    'are rejected with the name of %s when it is missing or empty',
    (name) => {
      expect(complaintAbout({ [name]: undefined })).toContain(`${name} is missing`);
      expect(complaintAbout({ [name]: '' })).toContain(`${name} is missing`);
    },
  );

  test.each([
    ['PORT', 'hunter2'],
    ['PORT', '65536'],
    ['PORT', '-1'],
    ['PORT', '80.5'],
    ['NODE_ENV', 'hunter2'],
    ['LOG_LEVEL', 'hunter2'],
    ['DATABASE_POOL_MAX', '0'],
    ['DATABASE_URL', 'mysql://root:hunter2@db'],
    ['DATABASE_URL', 'hunter2'],
    ['CALLER_PRIVATE_KEY', '{"hunter2'],
    ['CALLER_PRIVATE_KEY', '{"kty":"hunter2"}'],
    ['CALLER_PUBLIC_KEYS', '{"gateway":["hunter2"]}'],
    ['CALLER_PUBLIC_KEYS', JSON.stringify({ gateway: [jwk, jwk, jwk] })],
    ['CALLER_PUBLIC_KEYS', '{"gateway":[]}'],
  ])('are rejected with the name of %s when it is invalid, without its value %s', (name, value) => {
    const complaint = complaintAbout({ [name]: value });
    expect(complaint).toContain(name);
    expect(complaint).not.toContain(`${name} is missing`);
    expect(complaint).not.toContain('hunter2');
    expect(complaint).not.toContain(value);
  });

  test('are rejected with all invalid names at once', () => {
    const complaint = complaintAbout({ PORT: 'x', DATABASE_URL: '', LOG_LEVEL: 'loud' });
    expect(complaint.split('\n')).toHaveLength(4);
    for (const name of ['PORT', 'DATABASE_URL', 'LOG_LEVEL']) expect(complaint).toContain(name);
  });
});
