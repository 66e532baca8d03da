import type { EventScope } from '@event-api/contracts/internal/scope';
import type { HttpClient } from '@event-api/platform/testing/http-client';
import { afterAll, beforeAll, beforeEach } from 'vitest';
import { createTestEvent } from './fixtures.ts';
import { startOnsite, type TestOnsite } from './harness.ts';

/** The service of the test file. */
export let onsite: TestOnsite;
/** A client of its internal listener for operators. */
export let operator: HttpClient;
/** The event of the current test. */
export let scope: EventScope;
/** A client of the API for the business unit of this event. */
export let call: HttpClient;

/** Replaces the event of the current test. */
export async function useEvent(fields: Parameters<typeof createTestEvent>[1]): Promise<void> {
  scope = await createTestEvent(onsite, fields);
  call = await onsite.as(scope.businessUnitId);
}

/**
 * Starts the service for the tests of a file and creates an event for each of them. The variables
 * of this module are set before the first test.
 */
export function useOnsite(): void {
  beforeAll(async () => {
    onsite = await startOnsite();
    operator = await onsite.operator();
  });
  afterAll(() => onsite?.close());
  beforeEach(async () => {
    onsite.owners.catalogIsUnavailable = false;
    scope = await createTestEvent(onsite);
    call = await onsite.as(scope.businessUnitId);
  });
}
