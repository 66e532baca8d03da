import type { Registration } from './records.ts';

/** The statuses of registrations that are neither cancelled nor rejected. */
export const activeStatuses: readonly Registration['status'][] = [
  'pending',
  'confirmed',
  'waitlisted',
];

/** Whether a registration can still change. Null is a status that is not known. */
export const isActive = (status: Registration['status'] | null): boolean =>
  status !== null && activeStatuses.includes(status);
