import { expect, test } from 'vitest';
import { parseArguments, UsageError } from './arguments.ts';

const run = { action: 'run', name: 'unit.list', input: {}, key: undefined };

test.each([
  [[], { action: 'help', name: undefined }],
  [['help'], { action: 'help', name: undefined }],
  [['--help'], { action: 'help', name: undefined }],
  [['-h', 'exhibitor'], { action: 'help', name: 'exhibitor' }],
  [['help', 'key.create'], { action: 'help', name: 'key.create' }],
  [['help', 'key.create', '--schema'], { action: 'schema', name: 'key.create' }],
  [['key.create', '--schema'], { action: 'schema', name: 'key.create' }],
  [['unit.list'], run],
  [['unit.list', '{"a":[1]}'], { ...run, input: { a: [1] } }],
  [['unit.list', '{}', '--key', 'abc'], { ...run, key: 'abc' }],
  [['--key=abc', 'unit.list'], { ...run, key: 'abc' }],
])('parses %j', (args, expected) => {
  expect(parseArguments(args)).toEqual(expected);
});

test.each([
  [['unit.create', '{name}'], /^the input is not JSON/],
  [['unit.create', '{}', '{}'], /^too many arguments/],
  [['unit.create', '--kay', 'x'], /--kay/],
  [['unit.create', '--key'], /--key/],
])('rejects %j', (args, message) => {
  expect(() => parseArguments(args)).toThrow(UsageError);
  expect(() => parseArguments(args)).toThrow(message);
});
