import { expect, test } from 'vitest';
import { hashBadgeCode } from './badge-code.ts';

test('the hash of a code is a half of the SHA-256 in base64url, without case and surrounding spaces', async () => {
  expect(await hashBadgeCode('CHK-7D2M9QK4X1T8VBNA')).toBe('sXkcdJr_kvCDakwRwnN8xA');
  expect(await hashBadgeCode(' chk-7d2m9qk4x1t8vbna ')).toBe('sXkcdJr_kvCDakwRwnN8xA');
  expect(await hashBadgeCode('CHK-7D2M9QK4X1T8VBNB')).not.toBe('sXkcdJr_kvCDakwRwnN8xA');
});
