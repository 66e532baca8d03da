import { BusinessUnit, getUnit } from '@event-api/contracts/operator/units';
import { boundedCache } from '@event-api/platform/core/bounded-cache';
import { ApiError, notFound } from '@event-api/platform/core/errors';
import { partUnavailable } from '../errors.ts';
import type { SendRequest } from '../owners/send.ts';
import { timeouts } from '../timeouts.ts';

/** A business unit as the gateway knows it. */
export interface Unit {
  id: string;
  name: string;
  defaultCurrency: string;
}

export interface Units {
  /**
   * Returns a business unit. It is read from the gateway at most every 30 seconds. While the gateway is away, the last
   * known one is returned. Errors: 404; 503 for a unit that this process does not know.
   */
  require(id: string): Promise<Unit>;
}

/** Reads business units as the console itself. */
export function createUnits({ send }: { send: SendRequest }): Units {
  const known = boundedCache<string, { unit: Unit; readAt: number }>(10_000);

  async function read(id: string): Promise<Unit> {
    const { status, body } = await send({
      operation: getUnit,
      path: getUnit.url,
      caller: {
        audience: 'operator',
        businessUnitId: id,
        permissions: ['catalog.read'],
        actor: { type: 'system', id: 'console' },
      },
      headers: { 'content-type': 'application/json' },
      body: Buffer.from(JSON.stringify({ businessUnitId: id })),
      timeoutMs: timeouts.apiMs,
    });
    if (status === 404) throw notFound('businessUnit');
    if (status !== 200) throw partUnavailable('gateway', new Error(`unit.get: ${status}`));
    const { name, defaultCurrency } = BusinessUnit.parse(JSON.parse(body.toString()));
    return { id, name, defaultCurrency };
  }

  return {
    async require(id) {
      const last = known.get(id);
      if (last && performance.now() - last.readAt < timeouts.unitTtlMs) return last.unit;
      try {
        const unit = await read(id);
        known.set(id, { unit, readAt: performance.now() });
        return unit;
      } catch (error) {
        if (last && error instanceof ApiError && error.code >= 500) return last.unit;
        throw error;
      }
    },
  };
}
