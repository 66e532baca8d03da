import { randomUUID } from 'node:crypto';
import type { Page } from 'playwright-core';
import { expect } from 'vitest';
import type { SaleFixture } from '../fixtures/checkout.ts';
import type { Operator } from './operator.ts';

/** Opens the overview of the event of a sale. */
export async function openLivePage(
  { page, visit }: Pick<Operator, 'page' | 'visit'>,
  { unitId, eventId }: SaleFixture,
): Promise<void> {
  await visit(`/u/${unitId}/events/${eventId}`);
  await page.evaluate('window.wasLoadedOnce = true');
}

const isLive = (page: Page) => page.getByText('Live', { exact: true }).waitFor();

export const isNotLive = (page: Page) => page.getByText(/^(Reconnecting|Not live)/).waitFor();

/**
 * Registers a person during an outage, and waits until the overview counts it, without a reload.
 */
export async function countsDuring(
  page: Page,
  { call, path, typeId }: SaleFixture,
  outage: { begin: () => Promise<unknown>; end: () => Promise<unknown> },
): Promise<void> {
  const figure = page.locator('[data-figure="Confirmed"]');
  await isLive(page);
  await figure.filter({ hasText: /^\d+$/ }).waitFor();
  const before = Number(await figure.textContent());
  await outage.begin();
  try {
    await isNotLive(page);
    const body = { email: `${randomUUID()}@example.com`, registrationTypeId: typeId };
    expect((await call('POST', `${path}/registrations`, { body })).status).toBe(201);
  } finally {
    await outage.end();
  }
  await isLive(page);
  await figure.filter({ hasText: new RegExp(`^${before + 1}$`) }).waitFor();
  expect(await page.evaluate('window.wasLoadedOnce')).toBe(true);
}
