import { apiOperations } from '@event-api/contracts/http/operations';
import { expect } from 'vitest';
import type { GivenPlatform } from './given-platform.ts';
import { rawClient } from './raw-client.ts';
import { makeRecords, type Operate, pathOf, queryOf, type Records } from './records.ts';

/** A business unit with a client for its key, and one record of each kind. */
export interface GivenUnit {
  ask: ReturnType<typeof rawClient>;
  operate: Operate;
  secret: string;
  records: Records;
}

export async function givenUnit(platform: GivenPlatform): Promise<GivenUnit> {
  const { unitId, secret } = await platform.newUnit({ rateLimitPerMinute: 10_000_000 });
  const ask = rawClient(platform.baseUrl, secret);
  const operate: Operate = (command, input) =>
    platform.operator.callUnchecked(command, { businessUnitId: unitId, ...input });
  return { ask, operate, secret, records: await makeRecords(apiOperations, ask, operate) };
}

/** The responses of all reads of a unit's records. */
export async function everythingOf({ ask, records }: GivenUnit): Promise<string> {
  const reads = apiOperations.filter(({ method }) => method === 'GET');
  const answers = await Promise.all(
    reads.map((read) => ask({ method: 'GET', path: pathOf(read, records) + queryOf(read) })),
  );
  expect(answers.map(({ status }) => status)).toEqual(reads.map(() => 200));
  return answers.map(({ body }) => body).join('\n');
}
