import { describe, expect, test } from 'vitest';
import { describeError } from '../src/cli/describe-error.ts';
import { commands } from '../src/cli/run.ts';
import { EventApiConnectionError, EventApiError } from '../src/errors.ts';
import { runCli } from './run-cli.ts';

const update = ['update', 'ticket-type', 'evt_1', 'tt_1'];

describe('the command line', () => {
  test.each([
    ['an unknown command', ['tickets'], 'tickets is not a command'],
    ['a resource alone', ['addons'], 'addons is not a command; there are: list addons,'],
    ['a verb alone', ['approve'], 'approve is not a command; there are: approve registration'],
    ['another order of words', ['form', 'get'], 'form get is not a command; there are: get form'],
    [
      'a misspelt command',
      ['cancle', 'order'],
      'cancle order is not a command; did you mean cancel',
    ],
    ['what only operators do', ['refund', 'order', 'x'], 'the API has no operation for refunds'],
    ['an unknown option', ['list', 'events', '--foo'], "Unknown option '--foo'"],
    [
      'a misspelt option',
      ['list', 'events', '--stauts', 'x'],
      "Unknown option '--stauts'; did you mean --status?",
    ],
    ['a missing word', ['get', 'event'], 'get event takes <event id>'],
    ['an empty word', ['get', 'event', ''], 'get event takes <event id>'],
    ['a word too many', ['list', 'events', 'evt_1'], 'list events takes no further words'],
    [
      'a text for a number',
      [...update, '--capacity', 'ten'],
      '--capacity is whole number, not ten',
    ],
    ['a text for a boolean', [...update, '--is-public', 'no'], '--is-public is true|false, not no'],
    [
      'a list that is no JSON',
      ['place', 'order', 'evt_1', '--items', 'tt_1'],
      '--items is not JSON',
    ],
    ['a body that is no JSON', [...update, '--data', '{name}'], '--data is not JSON'],
    [
      'a body and a field',
      [...update, '--data', '{}', '--name', 'A'],
      '--data is the whole body: --name',
    ],
    [
      'a body that is missing',
      ['replace', 'bundle-items', 'evt_1', 'bdl_1'],
      '--data with the body is required',
    ],
    ['a key where none has an effect', [...update, '--key', 'a'], "Unknown option '--key'"],
    [
      'a format that does not exist',
      ['export', 'events', '--format', 'xls'],
      '--format is csv or jsonl',
    ],
    [
      'a badge without a file',
      ['get', 'registration-badge', 'evt_1', 'reg_1'],
      '--output <file> is required',
    ],
    ['an unknown scenario', ['trigger', 'order.eaten'], 'order.eaten is not a scenario'],
    ['a missing URL', ['listen'], 'listen requires --forward-to'],
    ['a URL that is none', ['listen', '--forward-to', 'me'], 'me is not an HTTP address'],
    ['half a position', ['changes', 'verify', '--after', 'x'], '--after and --digest belong'],
    ['a limit of zero', ['list', 'events', '--limit', '0'], '--limit is a number from 1'],
  ])('%s is explained, with the exit code 2', async (_, argv, message) => {
    const env = { EVENT_API_KEY: 'sk_test', EVENT_API_URL: 'http://127.0.0.1:9' };
    const { code, out, notes } = await runCli(argv, { env });
    expect(notes).toContain(`error: ${message}`);
    expect({ code, out }).toEqual({ code: 2, out: '' });
  });

  test('without a key every command says how to get one', async () => {
    expect(await runCli(['list', 'events'])).toMatchObject({
      code: 1,
      out: '',
      notes: 'error: there is no API key: run event-api login, or set EVENT_API_KEY',
    });
  });

  test.each([
    [['order', '--help'], 'cancel order', 'cancel registration'],
    [['help', 'cancel'], 'cancel registration', 'approve registration'],
  ])('%j lists the commands about it', async (argv, listed, other) => {
    const { code, out } = await runCli(argv);
    expect(code).toBe(0);
    expect(out).toContain(listed);
    expect(out).not.toContain(other);
  });

  test('the help lists every command with an example, and each has a help of its own', async () => {
    const { out } = await runCli([]);
    for (const command of commands) {
      expect(out).toContain(`  ${command.name}`);
      expect(out).toContain(`      event-api ${command.example}\n`);
      const help = await runCli([...command.name.split(' '), '--help']);
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
