import { unavailable } from '@event-api/platform/core/errors';
import { afterEach, expect, test, vi } from 'vitest';
import type { ServiceResponse } from '../owners/send.ts';
import { createLiveEvents } from './watch.ts';

const event = { unit: { id: 'unit_1', name: 'Unit', defaultCurrency: 'EUR' }, eventId: 'evt_1' };

afterEach(() => {
  vi.useRealTimers();
});

test('fifty streams are written one after the other, also after each was opened again', async () => {
  vi.useFakeTimers();
  const { promise: response, reject } = Promise.withResolvers<ServiceResponse>();
  const live = createLiveEvents(() => response);
  const receivedAt: number[] = [];
  const watch = () => live.watch(event, () => receivedAt.push(Date.now()));
  const streams = Array.from({ length: 50 }, watch);
  for (const end of streams) {
    end();
    watch();
  }
  receivedAt.length = 0;
  reject(unavailable());
  await vi.advanceTimersByTimeAsync(600);
  expect(new Set(receivedAt).size).toBe(50);
  await live.stop();
});
