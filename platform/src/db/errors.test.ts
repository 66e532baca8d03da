import { describe, expect, test } from 'vitest';
import { sqlState } from '../core/error-reason.ts';
import {
  apiErrorFromDatabase,
  isCommitUnknown,
  isRetryable,
  violatedUniqueConstraint,
} from './errors.ts';

const failure = (code: string, cause?: unknown) =>
  Object.assign(new Error('secret detail', { cause }), { code });

describe('a database failure', () => {
  test.each([
    ['08006', 503],
    ['53100', 503],
    ['53300', 503],
    ['57P01', 503],
    ['57P03', 503],
    ['40001', 503],
    ['40P01', 503],
    ['55P03', 503],
    ['25006', 503],
    ['0A000', 503],
    ['57014', 504],
    ['22001', 500],
    ['23505', 500],
    ['42P01', 500],
  ])('with SQLSTATE %s becomes a %i', (state, code) => {
    expect(apiErrorFromDatabase(failure(state))?.code).toBe(code);
  });

  test.each([
    'ECONNREFUSED',
    'ECONNRESET',
    'EPIPE',
    'ETIMEDOUT',
    'ENOTFOUND',
    'EAI_AGAIN',
    'EHOSTUNREACH',
    'ENETUNREACH',
  ])('with the system error %s becomes a 503', (code) => {
    expect(apiErrorFromDatabase(failure(code))).toMatchObject({
      code: 503,
      headers: { 'retry-after': '1' },
    });
  });

  test.each([
    'Connection terminated unexpectedly',
    'Connection terminated due to connection timeout',
    'timeout exceeded when trying to connect',
    'Client has encountered a connection error and is not queryable',
  ])('with the driver\'s message "%s" becomes a 503', (message) => {
    expect(apiErrorFromDatabase(new Error(message))?.code).toBe(503);
  });

  test.each([
    ['57P01', true],
    ['08006', true],
    ['ECONNRESET', true],
    ['57P03', false],
    ['55P03', false],
    ['57014', false],
    ['40001', false],
    ['ECONNREFUSED', false],
  ])('with the code %s may have taken effect: %s', (code, may) => {
    expect(isCommitUnknown(failure(code))).toBe(may);
  });

  test.each([
    ['Connection terminated unexpectedly', true],
    ['Query read timeout', true],
    ['timeout exceeded when trying to connect', false],
    ['something else', false],
  ])('with the message "%s" may have taken effect: %s', (message, may) => {
    expect(isCommitUnknown(new Error(message))).toBe(may);
  });

  test('is found at any depth of causes', () => {
    const wrap = (cause: unknown) => new Error('outer', { cause: new Error('inner', { cause }) });
    expect(apiErrorFromDatabase(wrap(failure('57P01')))?.code).toBe(503);
    expect(apiErrorFromDatabase(wrap(failure('ECONNREFUSED')))?.code).toBe(503);
  });

  test('is not any other error', () => {
    for (const error of [new Error('x'), failure('ERR_INVALID_ARG'), 'text', null, undefined]) {
      expect(apiErrorFromDatabase(error)).toBeNull();
    }
  });

  test('does not reveal its cause', () => {
    for (const code of ['22001', '57P01', '57014', 'EPIPE']) {
      expect(apiErrorFromDatabase(failure(code))?.message).not.toContain('secret');
    }
  });
});

test('sqlState returns a SQLSTATE and null for a system error', () => {
  expect(sqlState(failure('40P01'))).toBe('40P01');
  expect(sqlState(new Error('outer', { cause: failure('23505') }))).toBe('23505');
  expect(sqlState(failure('EPIPE'))).toBeNull();
});

test('isRetryable accepts only deadlocks and serialization failures', () => {
  const states = ['40001', '40P01', '40003', '55P03', '57014', '23505', '08006'];
  expect(states.filter((state) => isRetryable(failure(state)))).toEqual(['40001', '40P01']);
});

test('violatedUniqueConstraint returns the name of the constraint', () => {
  const broken = Object.assign(failure('23505'), { constraint: 'thing_name_unique' });
  expect(violatedUniqueConstraint(broken)).toBe('thing_name_unique');
  expect(violatedUniqueConstraint(failure('23505'))).toBe('');
  expect(violatedUniqueConstraint(failure('23503'))).toBeNull();
});
