import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { partUnavailable } from '../src/errors.ts';
import type { SendRequest } from '../src/owners/send.ts';
import { createUnits } from '../src/units/units.ts';
import { startTestConsole, type TestConsole } from './harness.ts';

const newUnit = () => `unit_${randomUUID().slice(0, 8)}`;

let app: TestConsole;
beforeAll(async () => {
  app = await startTestConsole();
});
afterAll(() => app?.close());

test('a console that has just started shows the units of its operators while the gateway is away', async () => {
  const unit = newUnit();
  await app.join(await app.signIn('vera'), unit, 'viewer');
  const started = await startTestConsole({ db: app.db });
  try {
    started.owners.setAway(true);
    const browser = await started.signIn('oskar');
    await started.join(browser, unit, 'organizer');
    const session = await browser.send('/api/session');
    expect(session.status).toBe(200);
    expect(session.json().units).toMatchObject([
      { id: unit, name: `Unit ${unit}`, defaultCurrency: 'CHF', role: 'organizer' },
    ]);
  } finally {
    await started.close();
  }
});

describe('a business unit', () => {
  type Response = { status: number; body?: object };
  const away = new Error('the gateway is away');
  /**
   * A process of the console whose gateway responds as the test says; null for one that is down.
   */
  const startProcess = (respond: () => Response | null) => {
    const send: SendRequest = async () => {
      const response = respond();
      if (!response) throw partUnavailable('gateway', away);
      const { status, body = {} } = response;
      return { status, headers: {}, body: Buffer.from(JSON.stringify(body)) };
    };
    return createUnits({ send, db: app.db });
  };
  const found = (id: string, name = 'Acme'): Response => ({
    status: 200,
    body: { id, name, defaultCurrency: 'EUR', createdAt: '2027-01-01T00:00:00.000Z' },
  });

  test('is the last one that the gateway has returned to any process', async () => {
    const id = newUnit();
    await startProcess(() => found(id, 'Former')).require(id);
    await startProcess(() => found(id, 'Present')).require(id);
    for (const down of [null, { status: 503 }]) {
      const unit = await startProcess(() => down).require(id);
      expect(unit).toEqual({ id, name: 'Present', defaultCurrency: 'EUR' });
    }
  });

  test('is a 503 that names the gateway if no process has read it', async () => {
    const reading = startProcess(() => null).require(newUnit());
    await expect(reading).rejects.toMatchObject({ code: 503, details: [{ owner: 'gateway' }] });
  });

  test('does not come back after the gateway did not have it, in no process', async () => {
    const id = newUnit();
    await startProcess(() => found(id)).require(id);
    let response: Response | null = { status: 404 };
    const observer = startProcess(() => response);
    await expect(observer.require(id)).rejects.toMatchObject({ code: 404 });
    response = null;
    for (const process of [observer, startProcess(() => null)]) {
      await expect(process.require(id)).rejects.toMatchObject({ code: 503 });
    }
  });
});
