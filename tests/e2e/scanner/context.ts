import { closeContexts, sharedBrowser } from '@event-api/platform/testing/browser';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll } from 'vitest';
import { type PlatformFixture, sharedPlatform } from '../fixtures/platform.ts';
import { newScannerEvent, type ScannerEvent } from './event.ts';

/** The platform of the test file. */
export let platform: PlatformFixture;
export let browser: Browser;
/** The event of the test file. */
export let event: ScannerEvent;

/**
 * Starts the platform and a browser for the tests of a file, and creates an event. The variables of
 * this module are set before the first test.
 */
export function useScannerEvent(): void {
  beforeAll(async () => {
    [platform, browser] = await Promise.all([sharedPlatform(), sharedBrowser()]);
    event = await newScannerEvent(platform);
  }, 600_000);
  afterAll(async () => {
    await closeContexts(browser);
  });
}
