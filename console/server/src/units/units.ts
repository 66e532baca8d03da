import { BusinessUnit, getUnit } from '@event-api/contracts/operator/units';
import { boundedCache } from '@event-api/platform/core/bounded-cache';
import { ApiError, notFound } from '@event-api/platform/core/errors';
import type { Db } from '@event-api/platform/db/database';
import { partUnavailable } from '../errors.ts';
import type { SendRequest } from '../owners/send.ts';
import { timeouts } from '../timeouts.ts';
import { deleteStoredUnit, findStoredUnit, storeUnit, type Unit } from './units.queries.ts';

export interface Units {
  /**
   * Returns a business unit. It is read from the gateway at most every 30 seconds. While the
   * gateway is down, the last one that any process of the console has read is returned. Errors:
   * 404; 503 for a unit that none has read.
   */
  require(id: string): Promise<Unit>;
}

/** A gateway of another release may return others. */
const UsedFields = BusinessUnit.pick({ name: true, defaultCurrency: true });

/** Reads business units as the console itself. */
export function createUnits({ send, db }: { send: SendRequest; db: Db }): Units {
  const known = boundedCache<string, { unit: Unit; readAt: number }>(10_000);

  /** Returns null for a unit that the gateway does not have. */
  async function read(id: string): Promise<Unit | null> {
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
    if (status === 404) return null;
    if (status !== 200) throw partUnavailable('gateway', new Error(`unit.get: ${status}`));
    const { name, defaultCurrency } = UsedFields.parse(JSON.parse(body.toString()));
    return { id, name, defaultCurrency };
  }

  /** Errors: that of the gateway, for a unit that no process has read. */
  async function lastStored(id: string, error: unknown): Promise<Unit> {
    const unit = error instanceof ApiError && error.code >= 500 && (await findStoredUnit(db, id));
    if (!unit) throw error;
    return unit;
  }

  return {
    async require(id) {
      const last = known.get(id);
      if (last && performance.now() - last.readAt < timeouts.unitTtlMs) return last.unit;
      let unit: Unit | null;
      try {
        unit = await read(id);
      } catch (error) {
        return lastStored(id, error);
      }
      if (unit === null) {
        known.delete(id);
        await deleteStoredUnit(db, id);
        throw notFound('businessUnit');
      }
      if (!last || !isSame(last.unit, unit)) await storeUnit(db, unit);
      known.set(id, { unit, readAt: performance.now() });
      return unit;
    },
  };
}

const isSame = (one: Unit, other: Unit): boolean =>
  one.name === other.name && one.defaultCurrency === other.defaultCurrency;
