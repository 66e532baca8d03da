import { newId } from '@event-api/platform/core/ids';
import type { HttpClient } from '@event-api/platform/testing/http-client';
import { afterAll, beforeAll } from 'vitest';
import { startCatalog, type TestCatalog } from './harness.ts';

/** The business unit of the test file. */
export const unit = newId('unit');
/** The service of the test file. */
export let catalog: TestCatalog;
/** A client of the API for the business unit. */
export let call: HttpClient;
/** A client of the internal listener for operators. */
export let operator: HttpClient;
/** A client of the internal listener for another service. */
export let service: HttpClient;

/**
 * Starts the service for the tests of a file. The variables of this module are set before the first
 * test.
 */
export function useCatalog(): void {
  beforeAll(async () => {
    catalog = await startCatalog();
    call = await catalog.as(unit);
    operator = await catalog.asOperator();
    service = await catalog.asService();
  });
  afterAll(() => catalog?.close());
}
