import { describe, expect, test } from 'vitest';
import type { VersionChange } from './change.ts';
import { createVersionRegistry } from './registry.ts';

const versions = ['2026-08-22', '2027-03-01', '2027-09-15'];

/** Appends a marker to each body, so that the order of the translations is visible. */
const marking = (version: string, operations: string[]): VersionChange => ({
  version,
  description: `test change of ${version}`,
  operations: Object.fromEntries(
    operations.map((operationId) => [
      operationId,
      {
        request: (body: unknown) => [...(body as string[]), `into ${version}`],
        response: (body: unknown) => [...(body as string[]), `out of ${version}`],
      },
    ]),
  ),
});

// Passed newest first, to verify that the registry sorts them.
const registry = createVersionRegistry(versions, [
  marking('2027-09-15', ['createEvent', 'getEvent']),
  marking('2027-03-01', ['createEvent']),
]);

describe('translationFor', () => {
  test('translates an older request, oldest change first', () => {
    const { request } = registry.translationFor('2026-08-22', 'createEvent');
    expect(request?.([])).toEqual(['into 2027-03-01', 'into 2027-09-15']);
  });

  test('translates the response back, newest change first', () => {
    const { response } = registry.translationFor('2026-08-22', 'createEvent');
    expect(response?.([])).toEqual(['out of 2027-09-15', 'out of 2027-03-01']);
  });

  test('applies only later changes for a version in between', () => {
    const { request, response } = registry.translationFor('2027-03-01', 'createEvent');
    expect(request?.([])).toEqual(['into 2027-09-15']);
    expect(response?.([])).toEqual(['out of 2027-09-15']);
  });

  test('returns no translation for operations without changes', () => {
    expect(registry.translationFor('2026-08-22', 'listEvents')).toEqual({
      request: null,
      response: null,
    });
    expect(registry.translationFor('2027-03-01', 'getEvent').request?.([])).toEqual([
      'into 2027-09-15',
    ]);
  });

  test('returns no translation for the current version', () => {
    expect(registry.translationFor('2027-09-15', 'createEvent')).toEqual({
      request: null,
      response: null,
    });
  });
});

describe('createVersionRegistry', () => {
  test('uses the newest date as the current version', () => {
    expect(registry.current).toBe('2027-09-15');
    expect(registry.supported).toEqual(versions);
  });

  test('throws for a change of an unknown version', () => {
    expect(() => createVersionRegistry(versions, [marking('2027-04-01', [])])).toThrow(
      /2027-04-01/,
    );
  });
});
