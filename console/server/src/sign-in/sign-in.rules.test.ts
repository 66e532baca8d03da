import { describe, expect, test } from 'vitest';
import { decideReturnTo } from './sign-in.rules.ts';

const consoleUrl = 'https://console.example';

describe('decideReturnTo', () => {
  test.each([
    ['/', '/'],
    ['/units/unit_1?tab=orders#first', '/units/unit_1?tab=orders#first'],
    ['/%2F%2Fevil.example', '/%2F%2Fevil.example'],
    [undefined, '/'],
    ['', '/'],
    ['units', '/'],
    ['//evil.example', '/'],
    ['///evil.example', '/'],
    ['/\\evil.example', '/'],
    ['\\\\evil.example', '/'],
    ['\\evil.example', '/'],
    ['/\t/evil.example', '/'],
    ['/\n/evil.example', '/'],
    ['/\r\\evil.example', '/'],
    [' //evil.example', '/'],
    ['https://evil.example/', '/'],
    ['https:evil.example', '/'],
    ['javascript:alert(1)', '/'],
    ['/..//evil.example', '/'],
    ['/a/..//evil.example', '/'],
    ['//console.example@evil.example', '/'],
  ])('turns %j into %j', (text, path) => {
    expect(decideReturnTo(text, consoleUrl)).toBe(path);
  });
});
