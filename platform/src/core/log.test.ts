import { describe, expect, test } from 'vitest';
import { safeMessage, safeMessageWithCauses } from './error-reason.ts';
import { createLogger } from './log.ts';

/** The lines that a logger writes. */
function logged(write: (log: ReturnType<typeof createLogger>) => void): string[] {
  const lines: string[] = [];
  const destination = { write: (line: string) => void lines.push(line) };
  write(createLogger({ service: 'catalog', level: 'info', destination }));
  return lines;
}

const secretNames = [
  'authorization',
  'secret',
  'password',
  'email',
  'name',
  'checkinCode',
  'cookie',
  'x-caller',
  'CALLER_PRIVATE_KEY',
  'DATABASE_URL',
];

describe('a log line', () => {
  test('is one JSON object with time, service, level and message', () => {
    const [line = ''] = logged((log) => log.warn({ port: 1 }, 'listening'));
    expect(line.endsWith('}\n')).toBe(true);
    expect(JSON.parse(line)).toEqual({
      level: 'warn',
      time: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
      service: 'catalog',
      port: 1,
      msg: 'listening',
    });
  });

  test('is omitted below the level', () => {
    expect(logged((log) => log.debug('detail'))).toEqual([]);
  });

  test.each(secretNames)('removes the value of %s at any depth', (name) => {
    const secret = { [name]: 'hunter2' };
    const [line = ''] = logged((log) =>
      log.info(
        { ...secret, a: secret, b: { c: secret }, d: [{ e: { f: secret } }], visible: 'visible' },
        'x',
      ),
    );
    expect(line).not.toContain('hunter2');
    expect(JSON.parse(line)).toMatchObject({
      [name]: '[redacted]',
      a: { [name]: '[redacted]' },
      b: { c: { [name]: '[redacted]' } },
      d: [{ e: { f: { [name]: '[redacted]' } } }],
      visible: 'visible',
    });
  });

  test('of a child logger redacts its bindings', () => {
    const [line = ''] = logged((log) => log.child({ user: { email: 'hunter2' } }).info('x'));
    expect(line).not.toContain('hunter2');
    expect(line).toContain('[redacted]');
  });

  test('leaves the logged object unchanged', () => {
    const request = { headers: { authorization: 'Bearer hunter2' } };
    logged((log) => log.info(request, 'x'));
    expect(request.headers.authorization).toBe('Bearer hunter2');
  });
});

describe('a logged error', () => {
  test.each(['err', 'error'])('under %s shows stack and message, without the row', (key) => {
    const cause = Object.assign(new Error('duplicate key'), {
      code: '23505',
      detail: 'Key (email)=(hunter2) already exists.',
      parameters: ['hunter2'],
    });
    const [line = ''] = logged((log) => log.error({ [key]: new Error('failed', { cause }) }, 'x'));
    expect(line).not.toContain('hunter2');
    expect(JSON.parse(line)[key]).toMatchObject({
      type: 'Error',
      message: 'failed',
      stack: expect.stringContaining('log.test.ts'),
      cause: { type: 'Error', code: '23505', message: 'duplicate key' },
    });
  });

  const databaseError = (code: string, message: string) =>
    Object.assign(new Error(message), { code });

  test.each([
    ['a parser', parseError('{"email":hunter2}'), 'SyntaxError'],
    [
      'the database on a value',
      databaseError('22P02', 'invalid input syntax for type integer: "hunter2"'),
      'Error 22P02',
    ],
    [
      'the ORM on a row',
      databaseError('23514', 'breaks a rule\n - detail: Failing row contains (hunter2).'),
      'breaks a rule',
    ],
  ])('of %s omits the input', (_, error, message) => {
    const [line = ''] = logged((log) => log.error({ err: error }, 'x'));
    expect(line).not.toContain('hunter2');
    expect(JSON.parse(line).err).toMatchObject({
      message,
      stack: expect.stringMatching(/^\s+at /),
    });
    expect(safeMessage(error)).toBe(message);
  });

  test('that is no Error shows only its type', () => {
    const [line = ''] = logged((log) => log.error({ err: 'hunter2' }, 'x'));
    expect(JSON.parse(line).err).toEqual({ type: 'string' });
  });

  test('has a message of bounded length', () => {
    const [line = ''] = logged((log) => log.error({ err: new Error('x'.repeat(10_000)) }, 'x'));
    expect(JSON.parse(line).err.message).toHaveLength(500);
  });
});

describe('safeMessageWithCauses', () => {
  const refused = Object.assign(new AggregateError([], ''), { code: 'ECONNREFUSED' });
  test.each([
    ['returns the message of one error', new Error('failed'), 'failed'],
    [
      'joins the messages of its causes, outermost first',
      new Error('unavailable', { cause: new Error('fetch failed', { cause: refused }) }),
      'unavailable: fetch failed: ECONNREFUSED',
    ],
    [
      'does not quote the input of a parser',
      new Error('bad', { cause: parseError('{hunter2') }),
      'bad: SyntaxError',
    ],
    ['returns the type of a value that is no Error', 'hunter2', 'string'],
    ['returns the type of undefined', undefined, 'undefined'],
  ])('%s', (_, error, expected) => {
    expect(safeMessageWithCauses(error)).toBe(expected);
  });

  test('returns four messages when an error is its own cause', () => {
    const error = new Error('loop');
    error.cause = error;
    expect(safeMessageWithCauses(error)).toBe('loop: loop: loop: loop');
  });
});

function parseError(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    return error;
  }
}
