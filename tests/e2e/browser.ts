import { findChromium } from '@event-api/local-servers/chromium';
import { type Browser, chromium } from 'playwright-core';

/** Starts a headless Chromium without DNS lookups. */
export function launchBrowser(): Promise<Browser> {
  return chromium.launch({
    executablePath: findChromium((line) => process.stderr.write(`${line}\n`)),
    args: [
      '--no-sandbox',
      '--disable-gpu',
      '--disable-quic',
      '--no-first-run',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
    ],
  });
}
