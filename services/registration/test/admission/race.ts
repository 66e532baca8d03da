import type { EventScope } from '@event-api/contracts/internal/scope';
import type { HttpClient } from '@event-api/platform/testing/http-client';
import { createLatch } from '@event-api/platform/testing/latch';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startRegistration, type TestRegistration } from '../harness.ts';
import { violatedInvariants } from '../invariants.ts';

/** Where two replicas meet: what a race is given. */
export interface Course {
  service: TestRegistration;
  sql: TestRegistration['sql'];
  /** Called when everything is in place: what is asked from then on is the race. */
  begin(): Promise<void>;
  /** One client of each replica. */
  clients(scope: EventScope): Promise<[HttpClient, HttpClient]>;
}

/** What is wrong after a race, by name; nothing when all went well. */
export type Findings = Record<string, unknown>;

/** Keeps what is not as expected. */
export const unless = (isFine: boolean, what: string, actual: unknown): Findings =>
  isFine ? {} : { [what]: actual };

/**
 * Runs each race over two replicas and looks at what they found and at all invariants. Then once more
 * with the event's lock taken away and both replicas deciding on what they read at the same moment: a
 * race that finds nothing wrong then would prove nothing.
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
      service = await startRegistration({ replicas: 2 });
    });
    afterAll(() => service?.close());

    it.each(Object.keys(races))('%s', async (name) => {
      expect(await run(service, name, async () => {})).toEqual({});
    });
  });

  describe(`${title}: without the lock`, () => {
    let service: TestRegistration;
    beforeAll(async () => {
      service = await startRegistration({ replicas: 2 });
      for (const { faults } of service.replicas) faults.disable('admission.lock');
      // What would catch one kind of mistake all the same.
      await service.sql(
        'alter table registration.registration drop constraint registration_active_email_unique',
      );
    });
    afterAll(() => service?.close());

    it.each(Object.keys(races))('it is noticed that not %s', async (name) => {
      for (const { faults } of service.replicas) faults.at('admission.read', () => {});
      await clear(service.sql);
      const begin = async () => {
        // Whoever makes the row that is no longer locked would hold up the other all the same.
        await service.sql(
          `insert into registration.admission (event_id, business_unit_id)
           select id, business_unit_id from registration.event_copy on conflict do nothing`,
        );
        const bothHaveRead = createLatch(2);
        for (const { faults } of service.replicas) faults.at('admission.read', bothHaveRead.arrive);
      };
      expect(Object.keys(await run(service, name, begin))).not.toEqual([]);
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
