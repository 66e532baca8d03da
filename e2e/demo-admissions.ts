import { RedemptionCode } from '@event-api/contracts/http/redemption-codes';
import { Registration } from '@event-api/contracts/http/registrations';
import { z } from 'zod';

/** How many registrations of each status an event has, and the condition of each code, the newest first. */
export async function admissionsOf(eventUrl: string, key: string) {
  const headers = { authorization: `Bearer ${key}` };
  const read = async (list: string) => (await fetch(`${eventUrl}/${list}`, { headers })).json();
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

/** What the demo conference has. */
export const demoAdmissions = {
  statuses: { confirmed: 167, waitlisted: 6, pending: 9, rejected: 5, cancelled: 13 },
  codes: [...Array(5).fill('active'), 'disabled', 'used up', 'in use', 'in use'],
};
