import { expect, test } from 'vitest';
import { config } from './config.ts';

const settings = {
  NODE_ENV: 'development',
  PORT: '0',
  INTERNAL_PORT: '0',
  ISSUER_URL: 'http://localhost:4000',
  REDIRECT_URL: 'http://localhost:5000/api/sign-in/callback',
  CLIENT_SECRET: 'a-secret-of-this-test',
};

test('the identity sandbox refuses to run in production, which is the default', () => {
  expect(config(settings)).toMatchObject({ NODE_ENV: 'development' });
  expect(() => config({ ...settings, NODE_ENV: 'production' })).toThrow('NODE_ENV');
  const { NODE_ENV: _, ...withoutEnvironment } = settings;
  expect(() => config(withoutEnvironment)).toThrow('NODE_ENV');
});
