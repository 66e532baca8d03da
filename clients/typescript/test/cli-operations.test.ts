import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { apiOperations } from '@event-api/contracts/http/operations';
import type { Operation } from '@event-api/contracts/operation';
import { describe, expect, onTestFinished, test } from 'vitest';
import { z } from 'zod';
import { apiCommands } from '../src/cli/api/commands.ts';
import type { Command, Terminal } from '../src/cli/command.ts';
import { runCli } from './run-cli.ts';
import { eventOf, sendJson, startServer } from './server.ts';

type Respond = (request: IncomingMessage, response: ServerResponse) => void;

const respondWith =
  (status: number, body: unknown): Respond =>
  (_, response) =>
    sendJson(response, status, body);

const errorOf = (code: number, status: string, details: object[] = []) => ({
  error: { code, status, message: 'No.', details },
});

const notFound = respondWith(404, errorOf(404, 'NOT_FOUND'));

interface Sent {
  method: string;
  url: string;
  key: string | undefined;
  body: unknown;
}

/** A command line and a server that records what it sends. */
async function startCli(respond: Respond) {
  const sent: Sent[] = [];
  const url = await startServer((request, response, _count, body) => {
    const { method = '', url = '', headers } = request;
    const key = headers['idempotency-key']?.toString();
    sent.push({ method, url, key, body: body === '' ? null : JSON.parse(body) });
    respond(request, response);
  });
  return async (argv: readonly string[], terminal: Partial<Terminal> = {}) => {
    const env = { EVENT_API_URL: url, EVENT_API_KEY: 'sk_test' };
    const printed = await runCli(argv, { env, ...terminal });
    return { ...printed, sent: sent.splice(0) };
  };
}

const kebab = (name: string) => name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);

/** The fields of a schema of the contract. Null if it is no object. */
function fieldsOf(schema: z.ZodType | undefined): string[] | null {
  if (!schema) return [];
  const { properties } = z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' });
  return properties ? Object.keys(properties) : null;
}

const samples: Readonly<Record<string, string>> = { JSON: '[]', 'whole number': '1' };

/** The command with a word for each parameter, and with the options that it requires. */
const argvOf = ({ name, words = [], options = {} }: Command): string[] => [
  ...name.split(' '),
  ...words.map((_, at) => `x${at}`),
  ...Object.entries(options).flatMap(([option, { value = '', summary }]) =>
    summary.startsWith('required') ? [`--${option}`, samples[value] ?? 'x'] : [],
  ),
  ...(name === 'replace bundle-items' ? ['--data', '[]'] : []),
];

/** The commands of operations, by the request that each sends. */
async function commandsByRequest(): Promise<Map<string, Command>> {
  const cli = await startCli(notFound);
  const found = new Map<string, Command>();
  for (const command of apiCommands.filter(({ name }) => !name.startsWith('export '))) {
    const { sent, notes } = await cli(argvOf(command));
    expect(sent, `${command.name}: ${notes}`).toHaveLength(1);
    const path = sent[0]?.url.replace(/\?.*/, '').replaceAll(/\/x\d+(?=\/|$)/g, '/:');
    const request = `${sent[0]?.method} ${path}`;
    expect(found.has(request), `${command.name} repeats ${request}`).toBe(false);
    found.set(request, command);
  }
  return found;
}

/** The words of a command line, without the quotes of a shell. */
const wordsOfShell = (line: string): string[] =>
  [...line.matchAll(/'((?:[^']|'\\'')*)'|(\S+)/g)].map(
    ([, quoted, plain = '']) => quoted?.replaceAll("'\\''", "'") ?? plain,
  );

const requestOf = ({ method, url }: Operation) => `${method} ${url.replaceAll(/:\w+/g, ':')}`;

describe('every operation of the contract', () => {
  test('has a command that sends its request, and no command sends another one', async () => {
    const found = await commandsByRequest();
    expect([...found.keys()].toSorted()).toEqual(apiOperations.map(requestOf).toSorted());
  });

  test('has a command whose help names all its parameters and fields', async () => {
    const found = await commandsByRequest();
    const cli = await startCli(notFound);
    for (const operation of apiOperations) {
      const { config, schema, url } = operation;
      const { name = '', words = [] } = found.get(requestOf(operation)) ?? {};
      const help = (await cli([...name.split(' '), '--help'])).out;
      expect(words, config.operationId).toHaveLength(url.match(/:\w+/g)?.length ?? 0);
      const query = fieldsOf(schema.querystring) ?? [];
      const isPrintedWhole = /--limit <number> +at most/.test(help);
      const fields = [
        // A command that reads all pages of a list follows the cursor by itself.
        ...query.filter((field) => !(isPrintedWhole && field === 'cursor')),
        ...(fieldsOf(schema.body) ?? ['data']),
      ];
      for (const field of fields) {
        expect(help, config.operationId).toMatch(new RegExp(`^ {2}--${kebab(field)} <`, 'm'));
      }
      for (const word of words) expect(help).toContain(`<${word}>`);
    }
  });

  test('has an example whose body the contract accepts', async () => {
    const found = await commandsByRequest();
    const cli = await startCli(notFound);
    for (const operation of apiOperations) {
      const { body } = operation.schema as { body?: z.ZodType };
      const { example = '' } = found.get(requestOf(operation)) ?? {};
      const { sent } = await cli(wordsOfShell(example));
      if (body) expect(body.safeParse(sent[0]?.body ?? {}).error, example).toBeUndefined();
    }
  });

  test('says in its help where the token goes, if no key may send it', async () => {
    const cli = await startCli(notFound);
    const note = 'EVENT_API_KEY is sent as the bearer: set it to the token or code.';
    for (const [words, isOfToken] of [
      ['get claim', true],
      ['assign claimed-seat', true],
      ['get device', true],
      ['get order', false],
    ] as const) {
      const { out } = await cli([...words.split(' '), '--help']);
      expect([words, out.includes(note)]).toEqual([words, isOfToken]);
    }
  });

  test('sends a key if it is a POST that accepts one, and the same with --key', async () => {
    const cli = await startCli(notFound);
    for (const command of apiCommands) {
      const { sent, notes } = await cli(argvOf(command));
      const [{ key, method } = {}] = sent;
      expect(notes.includes(`Idempotency-Key: ${key}`), command.name).toBe(
        command.options?.key !== undefined,
      );
      if (command.options?.key === undefined) continue;
      expect(method).toBe('POST');
      const again = await cli([...argvOf(command), '--key', 'mine']);
      expect(again.sent[0]?.key, command.name).toBe('mine');
    }
  });

  test('is not sent with --print-request, which prints it without the API key', async () => {
    const cli = await startCli(notFound);
    const writes = apiCommands.filter(({ options }) => options?.['print-request']);
    expect(writes).toHaveLength(apiOperations.filter(({ method }) => method !== 'GET').length);
    for (const command of writes) {
      const { code, sent, out } = await cli([...argvOf(command), '--print-request']);
      expect({ code, sent }, command.name).toEqual({ code: 0, sent: [] });
      expect(out).toMatch(/^(POST|PATCH|PUT) http:\/\/127\.0\.0\.1:\d+\/v1\//);
      expect(out).not.toContain('sk_test');
    }
  });
});

test('only operations that take something away need a confirmation, and only at a terminal', async () => {
  const cli = await startCli(notFound);
  const confirmed = [];
  for (const command of apiCommands) {
    const questions: string[] = [];
    const readReply = async (question: string) => {
      questions.push(question);
      return '';
    };
    const { sent, notes } = await cli(argvOf(command), { readReply });
    if (questions.length === 0) continue;
    confirmed.push(command.name);
    expect({ sent, notes }).toEqual({ sent: [], notes: 'error: nothing was changed' });
    expect((await cli([...argvOf(command), '--yes'], { readReply })).sent).toHaveLength(1);
    expect((await cli(argvOf(command), { readReply: async () => 'y' })).sent).toHaveLength(1);
    expect((await cli(argvOf(command))).sent).toHaveLength(1);
  }
  expect(confirmed).toEqual([
    ...['archive event', 'reject registration', 'cancel registration', 'disable redemption-code'],
    ...['replace bundle-items', 'revoke claim-link', 'cancel order', 'change order'],
    ...['undo checkin', 'rotate webhook-secret'],
  ]);
  const archive = ['update', 'ticket-type', 'evt_1', 'tt_1', '--status'];
  const readReply = async () => 'n';
  expect((await cli([...archive, 'archived'], { readReply })).sent).toEqual([]);
  expect((await cli([...archive, 'open'], { readReply })).sent).toHaveLength(1);
  const quote = ['change', 'order', 'evt_1', 'ord_1', '--cancel-seats', '["seat_1"]'];
  expect((await cli(quote, { readReply })).sent).toEqual([]);
  expect((await cli([...quote, '--dry-run', 'true'], { readReply })).sent).toHaveLength(1);
});

describe('the body', () => {
  const update = ['update', 'ticket-type', 'evt_1', 'tt_1'];

  test.each([
    [['--name', '7', '--capacity', '7'], { name: '7', capacity: 7 }],
    [
      ['--is-public', 'false', '--allow-waitlist', 'true'],
      { isPublic: false, allowWaitlist: true },
    ],
    [['--capacity', 'null', '--description', 'null'], { capacity: null, description: null }],
    [['--name', 'null'], { name: 'null' }],
    [['--data', '{"name":"A","other":[1]}'], { name: 'A', other: [1] }],
    [['--data', '-'], { name: 'from the input' }],
    [[], {}],
  ])('of the options %j is %j', async (options, body) => {
    const cli = await startCli(notFound);
    const readInput = async () => '{"name":"from the input"}';
    expect((await cli([...update, ...options], { readInput })).sent).toMatchObject([{ body }]);
  });

  test('can be a file', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'event-api-cli-'));
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
    const file = join(folder, 'body.json');
    writeFileSync(file, '[{"itemType":"addon","itemId":"addon_1"}]');
    const cli = await startCli(notFound);
    const { sent } = await cli(['replace', 'bundle-items', 'evt_1', 'bdl_1', '--data', `@${file}`]);
    expect(sent).toMatchObject([{ body: [{ itemType: 'addon', itemId: 'addon_1' }] }]);
    const missing = await cli([...update, '--data', `@${file}.missing`]);
    expect(missing).toMatchObject({ code: 1, sent: [] });
  });

  test('is none if nothing is given and none is required', async () => {
    const cli = await startCli(notFound);
    const { sent } = await cli(['confirm', 'order', 'evt_1', 'ORD-1']);
    expect(sent).toMatchObject([{ url: '/v1/events/evt_1/orders/ORD-1/confirm', body: null }]);
  });
});

test('an error names the option or the word of each field', async () => {
  const details = [
    { field: 'items[0].quantity', issue: 'must be 1 or more' },
    { field: 'redemptionCode', issue: 'is not a text' },
    { field: 'eventId', issue: 'is no id' },
    { field: 'Idempotency-Key', issue: 'is too long' },
    { field: 'body', issue: 'is no object' },
    { field: 'elsewhere', issue: 'is unknown' },
  ];
  const cli = await startCli(respondWith(400, errorOf(400, 'INVALID_ARGUMENT', details)));
  const argv = ['place', 'order', 'evt_1', '--items', '[]'];
  const { code, notes } = await cli(argv);
  expect(code).toBe(1);
  expect(notes.split('\n').filter((line) => line.startsWith('  field'))).toEqual([
    '  field       items[0].quantity (--items): must be 1 or more',
    '  field       redemptionCode (--redemption-code): is not a text',
    '  field       eventId (<event id>): is no id',
    '  field       Idempotency-Key (--key): is too long',
    '  field       body (--data): is no object',
    '  field       elsewhere: is unknown',
  ]);
  const inJson = JSON.parse((await cli([...argv, '--json'])).notes.split('\n')[1] ?? '');
  expect(inJson.error.details[1]).toEqual({ ...details[1], source: '--redemption-code' });
});

test('a file is written, and its size is printed', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'event-api-cli-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const file = join(folder, 'badge.pdf');
  const bytes = Buffer.from([37, 80, 68, 70, 0, 255]);
  const cli = await startCli((_, response) => {
    response.writeHead(200, { 'content-type': 'application/pdf' });
    response.end(bytes);
  });
  const badge = ['get', 'registration-badge', 'evt_1', 'reg_1', '--format', 'pdf'];
  const { lines, sent } = await cli([...badge, '--output', file, '--json']);
  expect(sent).toMatchObject([{ url: '/v1/events/evt_1/registrations/reg_1/badge?format=pdf' }]);
  expect(JSON.parse(lines[0] ?? '')).toEqual({ file, bytes: bytes.length });
  expect(readFileSync(file)).toEqual(bytes);
});

test('a list prints the price in the currency of its event, which it reads once', async () => {
  const typeOf = (id: string, priceAmount: number) => ({
    id,
    status: 'open',
    priceAmount,
    name: 'A',
  });
  const ticketTypes = [typeOf('tt_1', 23920), typeOf('tt_2', 0)];
  const cli = await startCli(({ url = '' }, response) =>
    sendJson(
      response,
      200,
      url.includes('ticket-types')
        ? { ticketTypes, nextCursor: null }
        : eventOf({ currency: 'EUR' }),
    ),
  );
  const { lines, sent } = await cli(['list', 'ticket-types', 'evt_1']);
  expect(lines).toEqual(['tt_1  open  EUR 239.20  A', 'tt_2  open  EUR 0.00  A']);
  expect(sent).toHaveLength(2);
});

describe('an export', () => {
  const registrations = [
    { id: 'reg_1', name: '=1+1', email: 'a@example.com', responses: { diet: 'vegan, "raw"' } },
    { id: 'reg_2', name: null, email: 'b@example.com', responses: null },
  ];
  /** One record per page. */
  const servePages: Respond = ({ url = '' }, response) => {
    const at = Number(new URL(url, 'http://list').searchParams.get('cursor'));
    const nextCursor = at === registrations.length - 1 ? null : String(at + 1);
    sendJson(response, 200, { registrations: [registrations[at]], nextCursor });
  };

  test('writes all pages as CSV with a header, and quotes every field', async () => {
    const cli = await startCli(servePages);
    const argv = ['export', 'registrations', 'evt_1', '--status', 'confirmed'];
    const { lines, sent } = await cli(argv);
    const [header = '', first = '', second = ''] = lines;
    expect(lines).toHaveLength(3);
    for (const line of lines) expect(line).toMatch(/^"[^\n]*"\r$/);
    const column = (line: string, name: string) => {
      const cellsOf = (text: string) =>
        [...text.matchAll(/"((?:[^"]|"")*)"/g)].map(([, cell]) => cell);
      return cellsOf(line)[cellsOf(header).indexOf(name)];
    };
    expect(column(first, 'name')).toBe("'=1+1");
    expect(column(first, 'responses')).toBe('{""diet"":""vegan, \\""raw\\""""}');
    expect([column(second, 'email'), column(second, 'name')]).toEqual(['b@example.com', '']);
    expect(sent.map(({ url }) => url)).toEqual([
      '/v1/events/evt_1/registrations?limit=1000&status=confirmed',
      '/v1/events/evt_1/registrations?limit=1000&status=confirmed&cursor=1',
    ]);
  });

  test('writes JSON lines', async () => {
    const cli = await startCli(servePages);
    for (const option of [['--format', 'jsonl'], ['--json']]) {
      const { lines } = await cli(['export', 'registrations', 'evt_1', ...option]);
      expect(lines.map((line) => JSON.parse(line))).toEqual(registrations);
    }
  });
});
