import { hashBadgeCode } from '@event-api/contracts/http/badge-code';
import { expect, test } from 'vitest';
import { codeHashOf } from './code-hash.ts';

test.each(['CHK-7D2M9QK4X1T8VBNA', ' chk-7d2m9qk4x1t8vbna ', 'É-1', ''])(
  'the server and a browser hash a code equally: %j',
  async (code) => {
    expect(codeHashOf(code)).toBe(await hashBadgeCode(code));
    expect(codeHashOf(code)).toMatch(/^[\w-]{22}$/);
  },
);
