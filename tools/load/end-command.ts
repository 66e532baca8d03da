import { operation } from '@event-api/contracts/operation';
import { listDevices, revokeDevice } from '@event-api/contracts/operator/devices';
import { listKeys, revokeKey } from '@event-api/contracts/operator/keys';
import { reference } from '@event-api/contracts/operator/reference';
import { getUnit } from '@event-api/contracts/operator/units';
import { invalidArgument } from '@event-api/platform/core/errors';
import { z } from 'zod';
import type { OperatorClient } from '../admin/operator-client.ts';
import { isLoadUnit } from './unit-names.ts';

const Input = z.object({ businessUnitId: reference('unit', 'A business unit of `load.prepare`') });
const Output = z.object({ revokedKeys: z.int(), revokedDevices: z.int() });

/** Revokes what `load.prepare` has handed out. The admin tool composes it of operator commands. */
export const endLoad = operation({
  method: 'POST',
  url: '/operator/load.end',
  config: {
    tag: 'Load tests',
    owner: 'gateway',
    audience: 'operator',
    operationId: 'load.end',
    isOnce: true,
    permission: 'platform',
    summary: 'Revoke the keys and scanners of a load test',
    description: 'The records of its business unit remain. A repetition revokes nothing.',
  },
  schema: { body: Input, response: { 200: Output } },
});

/** Carries out `load.end`. Errors: 400 for a business unit of no load test; 404; the platform's. */
export async function endByCommand(
  operator: OperatorClient,
  { businessUnitId }: z.output<typeof Input>,
): Promise<z.output<typeof Output>> {
  const unit = await operator.call(getUnit, { businessUnitId });
  if (!isLoadUnit(unit.name)) {
    const issue = 'is not the business unit of a load test';
    throw invalidArgument([{ field: 'businessUnitId', issue, code: 'invalid_value' }]);
  }
  const { keys } = await operator.call(listKeys, { businessUnitId });
  const { devices } = await operator.call(listDevices, { businessUnitId });
  const valid = {
    keys: keys.filter(({ revokedAt }) => revokedAt === null),
    devices: devices.filter(({ state }) => state === 'waiting' || state === 'paired'),
  };
  for (const { id } of valid.keys) await operator.call(revokeKey, { businessUnitId, id });
  for (const { id } of valid.devices) await operator.call(revokeDevice, { businessUnitId, id });
  return { revokedKeys: valid.keys.length, revokedDevices: valid.devices.length };
}
