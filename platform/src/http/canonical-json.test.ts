import { describe, expect, test } from 'vitest';
import { canonicalJson } from './canonical-json.ts';

const textOf = (json: string): string => canonicalJson(JSON.parse(json));

describe('canonicalJson', () => {
  test.each([
    ['members in another order', '{"a":1,"b":2}', '{"b":2,"a":1}'],
    [
      'members in another order at depth',
      '{"x":[{"a":1,"b":{"c":1,"d":2}}]}',
      '{"x":[{"b":{"d":2,"c":1},"a":1}]}',
    ],
    ['other whitespace', '{"a":[1,2]}', ' { "a" : [ 1,\n2 ] } '],
    ['another spelling of a number', '{"a":1,"b":100}', '{"a":1.0,"b":1e2}'],
    ['an escaped string', '{"a":"é/"}', '{"\\u0061":"\\u00e9\\/"}'],
    ['integer-like members', '{"10":1,"2":2,"a":3}', '{"a":3,"10":1,"2":2}'],
    ['__proto__ in another place', '{"__proto__":1,"a":2}', '{"a":2,"__proto__":1}'],
    ['a member that is there twice', '{"a":2}', '{"a":1,"a":2}'],
  ])('is the same for %s', (_what, one, other) => {
    expect(textOf(one)).toBe(textOf(other));
  });

  test.each([
    ['another order of elements', '[1,2]', '[2,1]'],
    ['another type', '{"a":1}', '{"a":"1"}'],
    ['null instead of no member', '{"a":null}', '{}'],
    ['an array instead of an object', '[]', '{}'],
    ['another member', '{"a":{"b":1}}', '{"a":{"c":1}}'],
    ['another __proto__', '{"__proto__":1}', '{"__proto__":2}'],
    ['no __proto__', '{"__proto__":{"a":1}}', '{}'],
    ['another value out of order', '{"b":1,"a":1}', '{"b":1,"a":2}'],
  ])('differs for %s', (_what, one, other) => {
    expect(textOf(one)).not.toBe(textOf(other));
  });

  test('is empty for no body', () => {
    expect(canonicalJson(undefined)).toBe('');
  });

  test('leaves the value unchanged', () => {
    const value = { b: [{ d: 1, c: 2 }], a: 1 };
    canonicalJson(value);
    expect(JSON.stringify(value)).toBe('{"b":[{"d":1,"c":2}],"a":1}');
  });

  test('orders an object of 100,000 members', () => {
    const members = Array.from({ length: 100_000 }, (_, i) => `"k${i}":0`);
    const reversed = members.toReversed();
    expect(textOf(`{${members.join(',')}}`)).toBe(textOf(`{${reversed.join(',')}}`));
  });
});
