import { RedemptionCode } from '@event-api/contracts/http/redemption-codes';
import { Registration } from '@event-api/contracts/http/registrations';
import { httpClient } from '@event-api/platform/testing/http-client';
import { z } from 'zod';

/** Returns the number of registrations by status and the state of each code, newest first. */
export async function admissionsOf(eventUrl: string, key: string) {
  const read = reader(eventUrl, key);
  const { registrations } = z
    .object({ registrations: z.array(Registration) })
    .parse(await read('registrations'));
  const { redemptionCodes } = z
    .object({ redemptionCodes: z.array(RedemptionCode) })
    .parse(await read('redemption-codes'));
  const statuses: Record<string, number> = {};
  for (const { status } of registrations) statuses[status] = (statuses[status] ?? 0) + 1;
  return {
    statuses,
    codes: redemptionCodes.map(({ status, uses, maxUses }) =>
      uses === maxUses ? 'used up' : uses > 0 ? 'in use' : status,
    ),
  };
}

/** The expected admissions of the demo conference. */
export const demoAdmissions = {
  statuses: { confirmed: 169, waitlisted: 6, pending: 9, rejected: 5, cancelled: 14 },
  codes: [...Array(5).fill('active'), 'disabled', 'used up', 'in use', 'in use'],
};

/**
 * Returns the number of records in each list of the program and the status of the exhibitors,
 * newest first.
 */
export async function programOf(eventUrl: string, key: string) {
  const read = reader(eventUrl, key);
  const lists = ['sessions', 'speakers', 'venues', 'checkins'] as const;
  const sizes = await Promise.all(lists.map(async (list) => (await read(list))[list].length));
  const { exhibitors } = await read('exhibitors');
  return {
    sizes: Object.fromEntries(lists.map((list, n) => [list, sizes[n]])),
    exhibitors: exhibitors.map(
      (each: { status: string; members: unknown[]; booths: unknown[] }) =>
        `${each.status}, ${each.members.length} at ${each.booths.length} booths`,
    ),
  };
}

export const demoProgram = {
  sizes: { sessions: 6, speakers: 2, venues: 3, checkins: 55 },
  exhibitors: ['declined, 0 at 0 booths', 'pending, 0 at 0 booths', 'confirmed, 1 at 2 booths'],
};

const reader = (eventUrl: string, key: string) => {
  const send = httpClient(`${eventUrl}/`, { authorization: `Bearer ${key}` });
  return async (list: string) => (await send('GET', list)).body;
};
