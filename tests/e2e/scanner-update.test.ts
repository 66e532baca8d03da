import { createServer, request, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer, text } from 'node:stream/consumers';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { browser, event, platform, useScannerEvent } from './scanner/context.ts';
import { newScannerDevice, type ScannerDevice, waitUntilSent } from './scanner/device.ts';
import { scanBadge } from './scanner/scan.ts';

/** What `npm run test:full` adds. */
const isFull = process.env.TEST_SIZE === 'full';

useScannerEvent();

/** A gateway that is released again with another build of the scanner. */
interface Releases {
  url: string;
  /** `complete`: a later build. `broken`: a later build with a file that is missing. */
  release: 'present' | 'complete' | 'broken';
  /** Requests for the file that is missing. */
  missing: number;
}

const missingFile = 'assets/missing.js';

let gateway: Releases;
let server: Server;
beforeEach(async () => {
  server = createServer(async (incoming, response) => {
    const body = await buffer(incoming);
    const { method = 'GET', url = '/', headers } = incoming;
    if (url === `/scanner/${missingFile}`) gateway.missing += 1;
    const outgoing = request(`${platform.baseUrl}${url}`, {
      method,
      // A later build must not be a 304 of the present one.
      headers: { ...headers, 'accept-encoding': 'identity', 'if-none-match': '' },
    });
    outgoing.on('error', () => response.destroy());
    outgoing.on('response', async (received) => {
      const status = received.statusCode ?? 502;
      const { 'content-length': _, 'transfer-encoding': __, ...kept } = received.headers;
      response.writeHead(status, kept);
      response.end(status === 304 ? undefined : laterBuild(url, await text(received)));
    });
    outgoing.end(body);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  gateway = { url: `http://127.0.0.1:${port}`, release: 'present', missing: 0 };
});
afterEach(() => {
  server.closeAllConnections();
  server.close();
});

/** Changes the title of the page, and the version and the files of the service worker, as a later build does. */
function laterBuild(path: string, content: string): string {
  if (gateway.release === 'present') return content;
  if (path === '/scanner/') return content.replace(/<title>.*?<\/title>/, '<title>Later</title>');
  if (path !== '/scanner/service-worker.js') return content;
  const changed = content.replace(/version:"[0-9a-f]{16}"|"version":"[0-9a-f]{16}"/, (found) =>
    found.replace(/[0-9a-f]{16}/, 'later00000000000'),
  );
  expect(changed).not.toBe(content);
  return gateway.release === 'complete'
    ? changed
    : changed.replace('"./"', `"./","${missingFile}"`);
}

/** A device that works without a network, through this gateway. */
const newDevice = () => newScannerDevice({ browser, event }, { gatewayUrl: gateway.url });

const halfAMinute = { timeout: 30_000 };
const isInstalled =
  'navigator.serviceWorker.getRegistration("/scanner/").then(({ installing, waiting }) => !installing && !waiting)';

const versions = ({ page }: ScannerDevice): Promise<string[]> => page.evaluate('caches.keys()');

test('a later build replaces the page, opens without a network, and sends the scans of the former one', async () => {
  const { id, checkinCode } = await event.register('Ada Later');
  const device = await newDevice();
  const { page, context } = device;
  const [before, ...others] = await versions(device);
  expect(others).toEqual([]);
  await context.setOffline(true);
  expect(await scanBadge(page, checkinCode)).toMatchObject({ kind: 'admitted' });
  await page.getByText('1 scan is not sent yet').waitFor();
  await page.goto('about:blank');
  gateway.release = 'complete';
  await context.setOffline(false);
  // The browser looks for a later build after it has opened the page, and not while pages are opened again and again.
  await page.goto(`${gateway.url}/scanner/`);
  await expect
    .poll(() => versions(device), halfAMinute)
    .toEqual([before, '/scanner/ later00000000000']);
  await expect.poll(() => page.evaluate(isInstalled), halfAMinute).toBe(true);
  await page.reload();
  expect(await page.title()).toBe('Later');
  await waitUntilSent(device);
  await context.setOffline(true);
  await page.reload();
  expect(await page.title()).toBe('Later');
  await page.getByLabel('Badge code').waitFor();
  const { checkins } = await event.steps.get(`${event.path}/checkins?registrationId=${id}`);
  expect(checkins).toMatchObject([{ deviceId: device.id }]);
  expect(device.failures).toEqual([]);
  await context.close();
});

test.runIf(isFull)(
  'a build with a missing file is not installed, and the former one still opens without a network',
  async () => {
    const device = await newDevice();
    const { page, context } = device;
    const before = await versions(device);
    gateway.release = 'broken';
    await page.reload();
    await expect.poll(() => gateway.missing, halfAMinute).toBe(1);
    await expect.poll(() => versions(device)).toEqual(before);
    await context.setOffline(true);
    await page.reload();
    await page.getByLabel('Badge code').waitFor();
    expect(await page.title()).not.toBe('Later');
    expect(device.failures).toEqual([]);
    await context.close();
  },
);
