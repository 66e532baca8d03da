import { describe, expect, test } from 'vitest';
import type { Terminal } from '../src/cli/command.ts';
import { describeError } from '../src/cli/describe-error.ts';
import { commands, run } from '../src/cli/run.ts';
import { EventApiConnectionError, EventApiError } from '../src/errors.ts';

/** Runs a command line without a server. Returns the exit code and what it prints. */
async function runOffline(argv: string[], env: Terminal['env'] = { HOME: '/nonexistent' }) {
  const [out, notes]: [string[], string[]] = [[], []];
  const code = await run(argv, {
    env,
    print: (line) => out.push(line),
    note: (line) => notes.push(line),
    readSecret: async () => '',
    now: () => new Date(),
    signal: new AbortController().signal,
  });
  return { code, out: out.join('\n'), notes: notes.join('\n') };
}

describe('the command line', () => {
  test.each([
    ['an unknown command', ['tickets'], 'tickets is not a command'],
    ['a group without its command', ['orders'], 'orders requires one of: list, get'],
    ['an unknown option', ['events', 'list', '--foo'], "Unknown option '--foo'"],
    ['a missing word', ['events', 'get'], 'events get takes <event id>'],
    ['a word too many', ['events', 'list', 'evt_1'], 'events list takes no further words'],
    ['a missing event', ['orders', 'list'], '--event <event id> is required'],
    ['an unknown scenario', ['trigger', 'order.eaten'], 'order.eaten is not a scenario'],
    ['a missing URL', ['listen'], 'listen requires --forward-to'],
    ['a URL that is none', ['listen', '--forward-to', 'me'], 'me is not an HTTP address'],
    ['half a position', ['changes', 'verify', '--after', 'x'], '--after and --digest belong'],
    ['a limit of zero', ['events', 'list', '--limit', '0'], '--limit is a number from 1'],
  ])('%s is explained, with the exit code 2', async (_, argv, message) => {
    const env = { EVENT_API_KEY: 'sk_test', EVENT_API_URL: 'http://127.0.0.1:9' };
    const { code, out, notes } = await runOffline(argv, env);
    expect(notes).toContain(`error: ${message}`);
    expect({ code, out }).toEqual({ code: 2, out: '' });
  });

  test('without a key every command says how to get one', async () => {
    expect(await runOffline(['events', 'list'])).toEqual({
      code: 1,
      out: '',
      notes: 'error: there is no API key: run event-api login, or set EVENT_API_KEY',
    });
  });

  test('the help of a group lists its commands', async () => {
    const { code, out } = await runOffline(['orders', '--help']);
    expect(code).toBe(0);
    expect(out).toContain('orders list');
    expect(out).not.toContain('events list');
  });

  test('the help lists every command, and each command has a help of its own', async () => {
    const { out } = await runOffline([]);
    for (const command of commands) {
      expect(out).toContain(command.name);
      const help = await runOffline([...command.name.split(' '), '--help']);
      expect(help.code).toBe(0);
      expect(help.out).toContain(`Usage: event-api ${command.name}`);
      for (const option of Object.keys(command.options ?? {})) {
        expect(help.out).toContain(`--${option}`);
      }
    }
  });
});

describe('an error', () => {
  const envelope = {
    error: {
      ...{ code: 400, status: 'INVALID_ARGUMENT', message: 'The request is malformed.' },
      details: [
        { field: 'name', issue: 'is required', code: 'required' },
        { field: 'timezone', issue: 'is not a time zone', code: 'invalid_value' },
      ],
    },
  };
  const headers = { 'Request-Id': 'req_1' };

  test('of the API has its status, all fields and the request id', () => {
    const error = new EventApiError(new Response(null, { status: 400, headers }), envelope);
    expect(describeError(error)).toMatchObject({
      lines: [
        'The request is malformed.',
        '  status      400 INVALID_ARGUMENT',
        '  field       name: is required',
        '  field       timezone: is not a time zone',
        '  request id  req_1',
      ],
      json: { httpStatus: 400, status: 'INVALID_ARGUMENT', field: 'name', requestId: 'req_1' },
      code: 1,
    });
  });

  test('of a business rule has its reason', () => {
    const message = 'No seats are left.';
    const details = [{ reason: 'SOLD_OUT' }];
    const body = { error: { code: 412, status: 'FAILED_PRECONDITION', message, details } };
    const error = new EventApiError(new Response(null, { status: 412, headers }), body);
    expect(describeError(error).lines).toContain('  reason      SOLD_OUT');
  });

  test('of a connection has its cause', () => {
    const refused = new TypeError('fetch failed', { cause: new Error('connect ECONNREFUSED') });
    const { lines, code } = describeError(new EventApiConnectionError(refused));
    expect(lines[0]).toBe('no response from the API: connect ECONNREFUSED');
    expect(code).toBe(1);
  });

  test('that is a defect of the program is not hidden', () => {
    expect(() => describeError(new RangeError('defect'))).toThrow('defect');
  });
});
