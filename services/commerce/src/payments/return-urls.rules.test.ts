import { expect, test } from 'vitest';
import { decideReturnUrls } from './return-urls.rules.ts';

const fine = 'https://tickets.example.com/';
const order = { orderNumber: 'ORD-7K3M9QXA' };
const issuesOf = (successUrl: unknown) => {
  const decision = decideReturnUrls({ successUrl, cancelUrl: fine }, order);
  return decision.outcome === 'invalid' ? decision.issues : [];
};

test.each([
  fine,
  'https://tickets.example.com/a/b?c=d&e={CHECKOUT_SESSION_ID}#f',
  'HTTPS://EXAMPLE.COM/',
  'https://example.com:8443/',
  'https://[2001:db8::1]/',
  'https://münchen.example/',
  'http://localhost/',
  'http://localhost:3000/thanks',
  'http://127.0.0.1:3000/',
  'http://[::1]:3000/',
  `https://example.com/${'a'.repeat(2000)}`,
])('accepts %s', (url) => {
  expect(issuesOf(url)).toEqual([]);
});

test.each([
  ['http on another host', 'http://example.com/'],
  ['a host that only begins like localhost', 'http://localhost.evil.example/'],
  ['a host that only ends like localhost', 'http://evil-localhost/'],
  ['another way to write 127.0.0.1', 'http://127.1.1.1/'],
  ['a user', 'https://good@evil.example/'],
  ['a user and a password', 'https://user:pass@evil.example/'],
  ['an empty user', 'https://@evil.example/'],
  ['localhost as a user', 'http://localhost@evil.example/'],
  ['another scheme', 'javascript:alert(1)'],
  ['data', 'data:text/html,<script>'],
  ['ftp', 'ftp://example.com/'],
  ['no scheme', '//example.com/'],
  ['no slashes', 'https:example.com/'],
  ['one slash', 'https:/example.com/'],
  ['three slashes', 'https:///example.com/'],
  ['backslashes', 'https:\\\\example.com\\'],
  ['a backslash in the host', 'https://good.example\\@evil.example/'],
  ['a space before', ' https://example.com/'],
  ['a space within', 'https://example.com/a b'],
  ['a tab', 'https://exam\tple.com/'],
  ['a line break', 'https://example.com/\r\nSet-Cookie: a=b'],
  ['a NUL', 'https://example.com/\u0000'],
  ['an invisible character', 'https://exam\u200bple.com/'],
  ['a right-to-left override', 'https://example.com/\u202egpj'],
  ['half a surrogate pair', 'https://example.com/\ud800'],
  ['an empty string', ''],
  ['a number', 5],
  ['null', null],
  ['an array', [fine]],
  ['too many characters', `https://example.com/${'a'.repeat(2040)}`],
  ['an invalid port', 'https://example.com:99999/'],
  ['a placeholder in the host', 'https://{ORDER_NUMBER}.example.com/'],
  ['a placeholder as the port', 'https://example.com:{ORDER_NUMBER}/'],
])('rejects %s', (_, url) => {
  expect(issuesOf(url)).toMatchObject([{ field: 'successUrl' }]);
});

const credentials = 'must not contain a user name or password';

test.each([
  [' https://example.com/', 'must not contain spaces'],
  ['https://example.com/a b', 'must not contain spaces'],
  ['https://user:secret@example.com/', credentials],
  ['https://user@example.com/', credentials],
  ['http://localhost@evil.example/', credentials],
  ['https://example.com/\u0000', 'must not contain control or invisible characters'],
  ['https://good.example\\@evil.example/', 'must not contain backslashes'],
  ['http://example.com/', 'must be an https URL, or an http URL on localhost'],
])('names the issue of %j', (url, issue) => {
  expect(issuesOf(url)).toEqual([{ field: 'successUrl', issue, code: 'invalid_format' }]);
});

test('requires both URLs and reports both', () => {
  expect(decideReturnUrls({}, order)).toEqual({
    outcome: 'invalid',
    issues: [
      { field: 'successUrl', issue: 'is required', code: 'required' },
      { field: 'cancelUrl', issue: 'is required', code: 'required' },
    ],
  });
});

test.each([
  ['a path', 'https://example.com/日本', 'https://example.com/%E6%97%A5%E6%9C%AC'],
  [
    'a query',
    'https://example.com/?q=ä&s={CHECKOUT_SESSION_ID}',
    'https://example.com/?q=%C3%A4&s={CHECKOUT_SESSION_ID}',
  ],
  ['a fragment', 'https://example.com/#é', 'https://example.com/#%C3%A9'],
  ['a host', 'https://münchen.example/', 'https://xn--mnchen-3ya.example/'],
  [
    'nothing that is already encoded',
    'https://example.com/%E6%97%A5',
    'https://example.com/%E6%97%A5',
  ],
  ['nothing in ASCII', 'https://EXAMPLE.com/a?b={C}', 'https://EXAMPLE.com/a?b={C}'],
])('encodes %s', (_, url, expected) => {
  const decision = decideReturnUrls({ successUrl: url, cancelUrl: url }, order);
  expect(decision).toEqual({
    outcome: 'valid',
    urls: { successUrl: expected, cancelUrl: expected },
  });
});

test('rejects a URL that is too long when it is encoded', () => {
  expect(issuesOf(`https://example.com/${'日'.repeat(300)}`)).toMatchObject([
    { field: 'successUrl', code: 'too_big' },
  ]);
});

test.each([
  ['the query', 'https://example.com/?order={ORDER_NUMBER}', '?order=ORD-7K3M9QXA'],
  ['the path', 'https://example.com/{ORDER_NUMBER}/thanks', 'ORD-7K3M9QXA/thanks'],
  ['the fragment', 'https://example.com/#{ORDER_NUMBER}', '#ORD-7K3M9QXA'],
  [
    'several places',
    'https://example.com/{ORDER_NUMBER}?a={ORDER_NUMBER}',
    'ORD-7K3M9QXA?a=ORD-7K3M9QXA',
  ],
  ['an encoded URL', 'https://example.com/?order=%7BORDER_NUMBER%7D', '?order=ORD-7K3M9QXA'],
  ['a path beyond ASCII', 'https://example.com/é/{ORDER_NUMBER}', '%C3%A9/ORD-7K3M9QXA'],
])('replaces the placeholder in %s', (_, url, expected) => {
  const decision = decideReturnUrls({ successUrl: url, cancelUrl: url }, order);
  const filled = `https://example.com/${expected}`;
  expect(decision).toEqual({ outcome: 'valid', urls: { successUrl: filled, cancelUrl: filled } });
});

test('encodes the number that it inserts', () => {
  const url = 'https://example.com/?order={ORDER_NUMBER}';
  const decision = decideReturnUrls({ successUrl: url, cancelUrl: fine }, { orderNumber: 'A/1&b' });
  expect(decision).toMatchObject({
    urls: { successUrl: 'https://example.com/?order=A%2F1%26b', cancelUrl: fine },
  });
});
