import { describe, expect, it } from 'vitest';
import type { VersionChange } from './change.ts';
import { createVersionRegistry } from './registry.ts';

const versions = ['2026-08-22', '2027-03-01', '2027-09-15'];

/** Leaves its mark on whatever passes through it, so that the order of the steps can be read. */
const marking = (version: string, operations: string[]): VersionChange => ({
  version,
  description: `made up for ${version}`,
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

// Given newest first, to see that the registry sorts them.
const registry = createVersionRegistry(versions, [
  marking('2027-09-15', ['createEvent', 'getEvent']),
  marking('2027-03-01', ['createEvent']),
]);

describe('a chain of two later versions', () => {
  it('brings an old request up to date oldest change first', () => {
    const { request } = registry.translationFor('2026-08-22', 'createEvent');
    expect(request?.([])).toEqual(['into 2027-03-01', 'into 2027-09-15']);
  });

  it('takes the answer back newest change first', () => {
    const { response } = registry.translationFor('2026-08-22', 'createEvent');
    expect(response?.([])).toEqual(['out of 2027-09-15', 'out of 2027-03-01']);
  });

  it('is entered in the middle by the version in between', () => {
    const { request, response } = registry.translationFor('2027-03-01', 'createEvent');
    expect(request?.([])).toEqual(['into 2027-09-15']);
    expect(response?.([])).toEqual(['out of 2027-09-15']);
  });

  it('touches only the operations that a change names', () => {
    expect(registry.translationFor('2026-08-22', 'listEvents')).toEqual({
      request: null,
      response: null,
    });
    expect(registry.translationFor('2027-03-01', 'getEvent').request?.([])).toEqual([
      'into 2027-09-15',
    ]);
  });

  it('has nothing to do for callers of the current version', () => {
    expect(registry.translationFor('2027-09-15', 'createEvent')).toEqual({
      request: null,
      response: null,
    });
  });
});

describe('the registry', () => {
  it('takes the newest date for the current version', () => {
    expect(registry.current).toBe('2027-09-15');
    expect(registry.supported).toEqual(versions);
  });

  it('refuses a change that belongs to no version', () => {
    expect(() => createVersionRegistry(versions, [marking('2027-04-01', [])])).toThrow(
      /2027-04-01/,
    );
  });
});
