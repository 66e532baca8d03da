import { eventually } from '@event-api/platform/testing/eventually';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { expect } from 'vitest';
import type { ScannerEvent, ScannerPlatform } from './event.ts';
import { recordVerdicts } from './scan.ts';

/** A paired device: a browser with its own storage. Its pages come and go. */
export interface ScannerDevice {
  id: string;
  context: BrowserContext;
  page: Page;
  /** Errors of its pages. */
  failures: string[];
}

/** Opens the scanner in a new page, with or without a network. */
export async function openScanner(
  { context, failures }: Pick<ScannerDevice, 'context' | 'failures'>,
  url: string,
): Promise<Page> {
  const page = await context.newPage();
  page.on('pageerror', (error) => failures.push(error.message));
  await page.goto(url);
  return page;
}

/**
 * Pairs a new browser at the entrance, or at `door`, and waits until it can work without a network.
 */
export async function newScannerDevice(
  { browser, event }: { browser: Browser; event: ScannerEvent },
  options: {
    showNames?: boolean;
    door?: ScannerEvent['lounge'];
    /** Another address of the gateway. */
    gatewayUrl?: string;
  } = {},
): Promise<ScannerDevice> {
  const { door = event.entrance, showNames = false, gatewayUrl } = options;
  const context = await browser.newContext({ viewport: { width: 390, height: 844 } });
  await recordVerdicts(context);
  const failures: string[] = [];
  const { id, url } = await event.newDevice({ doors: [door], showNames });
  const address = gatewayUrl ? `${gatewayUrl}/scanner/${new URL(url).hash}` : url;
  const page = await openScanner({ context, failures }, address);
  await page.getByText(/^Ready for offline/).waitFor();
  await page.evaluate('navigator.serviceWorker.ready.then(() => true)');
  return { id, context, page, failures };
}

/** Closes the page of a device and opens it again. */
export async function reopen(
  device: ScannerDevice,
  { baseUrl }: Pick<ScannerPlatform, 'baseUrl'>,
): Promise<void> {
  await device.page.close();
  device.page = await openScanner(device, `${baseUrl}/scanner/`);
}

/**
 * Counts the scans that a device has stored and not sent. A page that has just opened does not show
 * them yet.
 */
const countUnsent = `new Promise((resolve, reject) => {
  const opening = indexedDB.open('scanner');
  opening.onerror = () => reject(opening.error);
  opening.onsuccess = () => {
    const counting = opening.result.transaction('scans').objectStore('scans').count();
    counting.onsuccess = () => resolve(counting.result);
    opening.result.close();
  };
})`;

/** Gives the device its network and waits until the platform has every scan of it. */
export async function waitUntilSent({ context, page }: ScannerDevice): Promise<void> {
  await context.setOffline(false);
  await page.getByText('Online', { exact: true }).waitFor();
  await eventually(async () => expect(await page.evaluate(countUnsent)).toBe(0));
  await page.getByText(/not sent yet/).waitFor({ state: 'detached' });
}

export const unsent = (page: Page, count: number) =>
  page.getByText(count === 1 ? '1 scan is not sent yet' : `${count} scans are not sent yet`);

export type NewDevice = (
  options?: Parameters<typeof newScannerDevice>[1],
) => Promise<ScannerDevice>;

/** A fixture for devices. They are closed after the test, which fails if their pages had errors. */
export const devicesOf =
  (needs: () => Parameters<typeof newScannerDevice>[0]) =>
  // biome-ignore lint/correctness/noEmptyPattern: Vitest reads the fixtures that a fixture needs from this pattern.
  async ({}, use: (newDevice: NewDevice) => Promise<void>): Promise<void> => {
    const devices: ScannerDevice[] = [];
    await use(async (options) => {
      const device = await newScannerDevice(needs(), options);
      devices.push(device);
      return device;
    });
    for (const { context } of devices) await context.close();
    expect(devices.flatMap(({ failures }) => failures)).toEqual([]);
  };
