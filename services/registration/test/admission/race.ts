import type { EventScope } from '@event-api/contracts/internal/scope';
import type { HttpClient } from '@event-api/platform/testing/http-client';
import { createLatch } from '@event-api/platform/testing/latch';
import { atStep, disableGuard } from '@event-api/platform/testing/switches/switches';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { AdmissionRequest } from '../../src/admission/requests.ts';
import { startRegistration, type TestRegistration } from '../harness.ts';
import { violatedInvariants } from '../invariants.ts';

/** The input of a race: two replicas of one service. */
export interface Course {
  service: TestRegistration;
  sql: TestRegistration['sql'];
  /** To be called after the setup: requests after this call are part of the race. */
  begin(): Promise<void>;
  /** One client of each replica. */
  clients(scope: EventScope): Promise<[HttpClient, HttpClient]>;
}

/**
 * A race is not about the wait of a request, which ends with a 503 after three seconds: a busy
 * machine can be slower.
 */
const twoReplicas = { replicas: 2, admission: { maxWaitMs: 60_000 } };

/** What is wrong after a race, by name; empty if nothing is. */
export type Findings = Record<string, unknown>;

/** Submits a request to one replica and returns the outcome or reason. */
export async function submit(
  { service }: Course,
  replica: 0 | 1,
  scope: EventScope,
  request: AdmissionRequest,
): Promise<string> {
  try {
    const { result } = await service.replica(replica).admission.submit(scope, request);
    if (!('outcome' in result)) return 'revoked';
    return result.outcome === 'refused' ? result.reason : result.outcome;
  } catch (error) {
    return String(error);
  }
}

/** Returns the actual value as a finding unless it is as expected. */
export const unless = (isFine: boolean, what: string, actual: unknown): Findings =>
  isFine ? {} : { [what]: actual };

/**
 * Runs each race on two replicas and checks its findings and all invariants. Then runs it again
 * without the event's lock, with both replicas deciding on the same state: a race that finds
 * nothing wrong in this case would prove nothing.
 */
export function describeRaces(
  title: string,
  races: Record<string, (course: Course) => Promise<Findings>>,
): void {
  const run = async (service: TestRegistration, name: string, begin: Course['begin']) => {
    const { sql } = service;
    const clients: Course['clients'] = async ({ businessUnitId }) => [
      await service.as(businessUnitId, 0),
      await service.as(businessUnitId, 1),
    ];
    const found = await races[name]?.({ service, sql, begin, clients });
    return { ...found, ...(await violatedInvariants(sql)) };
  };

  describe(title, () => {
    let service: TestRegistration;
    beforeAll(async () => {
      service = await startRegistration(twoReplicas);
    });
    afterAll(() => service?.close());

    test.each(Object.keys(races))('%s', async (name) => {
      expect(await run(service, name, async () => {})).toEqual({});
    });
  });

  describe(`${title}: without the lock`, () => {
    let service: TestRegistration;
    beforeAll(async () => {
      service = await startRegistration(twoReplicas);
      // This constraint would still prevent some errors.
      await service.sql(
        'alter table registration.registration drop constraint registration_active_email_unique',
      );
    });
    afterAll(() => service?.close());

    test.each(Object.keys(races))('detects a violation of: %s', async (name) => {
      disableGuard('admission.lock');
      const begin = async () => {
        // Inserting the row would serialize the replicas even without the lock.
        await service.sql(
          `insert into registration.event_lock (event_id, business_unit_id)
           select id, business_unit_id from registration.event_projection on conflict do nothing`,
        );
        const bothHaveRead = createLatch(2);
        atStep('admission.read', bothHaveRead.arrive);
      };
      // A job of a replica can reach the step in place of a request, which then reads afterwards.
      let found: string[] = [];
      for (let attempt = 0; attempt < 20 && found.length === 0; attempt++) {
        await clear(service.sql);
        found = Object.keys(await run(service, name, begin));
      }
      expect(found).not.toEqual([]);
    });
  });
}

async function clear(sql: TestRegistration['sql']): Promise<void> {
  const tables = await sql<{ name: string }>(
    `select format('registration.%I', tablename) as name from pg_tables
     where schemaname = 'registration' and tablename not like '%migrations%'`,
  );
  await sql(`truncate ${tables.map(({ name }) => name).join(', ')}`);
}
