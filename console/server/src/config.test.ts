import { expect, test } from 'vitest';
import { config } from './config.ts';

const jwk = { kty: 'OKP', crv: 'Ed25519', x: 'eA' };
const address = 'http://127.0.0.1:1';
const settings = {
  NODE_ENV: 'development',
  PORT: '0',
  INTERNAL_PORT: '0',
  DATABASE_URL: 'postgres://user@127.0.0.1/event_api',
  REDIS_URL: 'redis://127.0.0.1:1',
  CALLER_PRIVATE_KEY: JSON.stringify({ ...jwk, d: 'eA' }),
  CALLER_PUBLIC_KEYS: JSON.stringify({ console: [jwk] }),
  CONSOLE_URL: address,
  DEMO_SIGN_INS: '1',
};

test('the console refuses to offer demo operators in production, which is the default', () => {
  expect(config(settings)).toMatchObject({ DEMO_SIGN_INS: '1' });
  expect(() => config({ ...settings, NODE_ENV: 'production' })).toThrow('DEMO_SIGN_INS');
  const { NODE_ENV: _, ...withoutEnvironment } = settings;
  expect(() => config(withoutEnvironment)).toThrow('DEMO_SIGN_INS');
  expect(config({ ...settings, NODE_ENV: 'production', DEMO_SIGN_INS: '' })).toMatchObject({
    DEMO_SIGN_INS: '0',
  });
});
