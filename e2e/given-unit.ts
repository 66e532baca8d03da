import { apiOperations } from '@event-api/contracts/http/operations';
import { expect } from 'vitest';
import type { PlatformFixture } from './given-platform.ts';
import { rawClient } from './raw-client.ts';
import { createRecords, type Operate, pathOf, queryOf, type Records } from './records.ts';

/** A business unit with a client for its key, and one record of each kind. */
export interface BusinessUnitFixture {
  request: ReturnType<typeof rawClient>;
  operate: Operate;
  secret: string;
  records: Records;
}

export async function createBusinessUnitFixture(
  platform: PlatformFixture,
): Promise<BusinessUnitFixture> {
  const { unitId, secret } = await platform.newUnit({ rateLimitPerMinute: 10_000_000 });
  const request = rawClient(platform.baseUrl, secret);
  const operate: Operate = (command, input) =>
    platform.operator.callUnchecked(command, { businessUnitId: unitId, ...input });
  return {
    request,
    operate,
    secret,
    records: await createRecords(apiOperations, request, operate),
  };
}

/** The responses of all reads of a unit's records. */
export async function everythingOf({ request, records }: BusinessUnitFixture): Promise<string> {
  const reads = apiOperations.filter(({ method }) => method === 'GET');
  const responses = await Promise.all(
    reads.map((read) => request({ method: 'GET', path: pathOf(read, records) + queryOf(read) })),
  );
  expect(responses.map(({ status }) => status)).toEqual(reads.map(() => 200));
  return responses.map(({ body }) => body).join('\n');
}
