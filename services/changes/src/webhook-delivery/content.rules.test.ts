import fc from 'fast-check';
import { expect, test } from 'vitest';
import { contentOf } from './content.rules.ts';

const bodyOf = (bytes: Buffer | string) => contentOf(undefined, Buffer.from(bytes as string)).body;
const a = (count: number) => 'a'.repeat(count);

test.each([
  ['an empty body', '', ''],
  ['text', 'Zoë is here', 'Zoë is here'],
  ['markup, as text', '<img src=x onerror=alert(1)>', '<img src=x onerror=alert(1)>'],
  ['1,024 bytes', a(1024), a(1024)],
  ['1,025 bytes', a(1025), a(1024)],
  ['a character of two bytes that ends at the limit', `${a(1022)}ü!`, `${a(1022)}ü`],
  ['a character of two bytes across the limit', `${a(1023)}ü`, a(1023)],
  ['a character of three bytes across the limit', `${a(1022)}€`, a(1022)],
  ['a character of four bytes across the limit', `${a(1021)}😀`, a(1021)],
  ['NUL', 'a\0b\0', 'ab'],
  ['NUL before the limit', `\0${a(1024)}`, a(1024)],
  ['a byte that is not UTF-8', Buffer.from([0x61, 0xff, 0x62]), 'a\ufffdb'],
  ['the first half of a character', Buffer.from([0x61, 0xe2, 0x82]), 'a\ufffd'],
  ['half of a surrogate pair', Buffer.from([0xed, 0xa0, 0x80]), '\ufffd\ufffd\ufffd'],
  ['many bytes that are not UTF-8', Buffer.alloc(16_384, 0xff), '\ufffd'.repeat(341)],
])('the body of a response with %s is kept', (_, received, kept) => {
  expect(bodyOf(received as string)).toBe(kept);
});

test('any body is kept as at most 1,024 bytes of valid UTF-8 without NUL', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 2000 }), (bytes) => {
      const body = bodyOf(Buffer.from(bytes));
      const stored = Buffer.from(body);
      expect(stored.length).toBeLessThanOrEqual(1024);
      expect(body).not.toContain('\0');
      expect(new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(stored)).toBe(body);
    }),
  );
});

test.each([
  [undefined, null],
  ['', null],
  ['text/plain; charset=utf-8', 'text/plain; charset=utf-8'],
  [`text/${a(200)}`, `text/${a(95)}`],
])('the content type %j is kept as %j', (header, contentType) => {
  expect(contentOf(header, Buffer.alloc(0)).contentType).toBe(contentType);
});
