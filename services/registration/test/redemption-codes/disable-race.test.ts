import { eventually } from '@event-api/platform/testing/eventually';
import { atStep } from '@event-api/platform/testing/switches/switches';
import { describe, expect, test } from 'vitest';
import { calls, eventPath as event, scope, service, typeId, useRegistration } from '../context.ts';
import { errorSummary, succeeded } from '../projection-fixtures.ts';
import { codes } from './codes.ts';

const { createCode, usesOf, tryWith } = codes(() => ({ call: calls[0], scope, typeId }));

useRegistration({ replicas: 2 });

describe('a use after the code was disabled', () => {
  test('is rejected, and a use in progress is committed before the response', async () => {
    const code = await createCode({ maxUses: null });
    const read = Promise.withResolvers<void>();
    const goOn = Promise.withResolvers<void>();
    atStep('admission.read', () => {
      read.resolve();
      return goOn.promise;
    });
    const using = tryWith(code.code);
    // The code was read as active, under the event's lock.
    await read.promise;
    let isDisabled = false;
    const disabling = calls[1]('POST', `${event}/redemption-codes/${code.id}/disable`).then(
      (response) => {
        isDisabled = true;
        return response;
      },
    );
    await eventually(async () => expect(await waitingForLocks()).toBeGreaterThan(0));
    expect(isDisabled).toBe(false);
    goOn.resolve();
    expect((await using).status).toBe(201);
    const disabled = succeeded(await disabling);
    expect(disabled).toMatchObject({ status: 'disabled', uses: 1 });
    atStep('admission.read', () => {});
    for (const call of calls) {
      expect(errorSummary(await tryWith(code.code, call))).toEqual([412, 'CODE_INVALID']);
    }
    expect(await usesOf(code.id)).toBe(1);
  });

  test('never succeeds after the response, with any number of requests', async () => {
    const code = await createCode({ maxUses: null });
    const pending: Promise<unknown>[] = [];
    let respondedAt = Number.POSITIVE_INFINITY;
    let later = 0;
    for (let n = 0; n < 150; n++) {
      const isAfter = performance.now() > respondedAt;
      const request = tryWith(code.code, calls[n % 2]).then(({ status }) => {
        if (isAfter && status === 201) throw new Error('a disabled code was used');
        if (isAfter) later += 1;
      });
      pending.push(request);
      if (n === 40) {
        const disabled = calls[0]('POST', `${event}/redemption-codes/${code.id}/disable`);
        pending.push(
          disabled.then(() => {
            respondedAt = performance.now();
          }),
        );
      }
      if (n % 10 === 9) await Promise.all(pending.splice(0));
    }
    await Promise.all(pending);
    expect(later).toBeGreaterThan(50);
  });

  async function waitingForLocks(): Promise<number> {
    const [row] = await service.sql<{ n: string }>(
      `select count(*) as n from pg_stat_activity
       where datname = current_database() and wait_event_type = 'Lock'`,
    );
    return Number(row?.n);
  }
});
