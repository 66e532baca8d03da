import { expect, it } from 'vitest';
import { findLeaks } from './find-leaks.ts';

const secret = "Zoë O'Quandrell+x@Mail.example/ü";

it.each([
  ['as it is', secret],
  ['in small letters', secret.toLowerCase()],
  ['in capitals', secret.toUpperCase()],
  ['in a query', new URLSearchParams({ email: secret }).toString()],
  ['in a path', `/v1/${encodeURIComponent(secret)}/x`],
  ['in JSON', JSON.stringify({ email: secret })],
  ['in JSON in JSON', JSON.stringify({ body: JSON.stringify({ email: secret }) })],
  ['in SQL', `insert into x values ('${secret.replaceAll("'", "''")}')`],
  ['in hexadecimal', Buffer.from(secret).toString('hex')],
  ...[0, 1, 2, 3, 4].flatMap((before) =>
    (['base64', 'base64url'] as const).map((alphabet) => [
      `in ${alphabet} after ${before}`,
      Buffer.from(`${'{"email'.slice(0, before)}${secret}"}`).toString(alphabet),
    ]),
  ),
])('a secret is found %s', (_how, text) => {
  expect(findLeaks({ email: secret }, [{ where: 'a log', text: `before ${text} after` }])).toEqual([
    expect.stringMatching(/^email in a log: /),
  ]);
});

it('nothing is found where there is nothing', () => {
  const written = [{ where: 'a log', text: '{"msg":"Zo O Quandrell x Mail example"}' }];
  expect(findLeaks({ email: secret, code: 'VELVET-OTTER' }, written)).toEqual([]);
});
