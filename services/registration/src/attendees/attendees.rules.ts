import type { RegistrationStatus } from '@event-api/contracts/http/registrations';

const bestFirst: readonly RegistrationStatus[] = [
  'confirmed',
  'waitlisted',
  'pending',
  'rejected',
  'cancelled',
];

/**
 * The status of a person at an event: the best of all registrations.
 */
export const attendeeStatus = (statuses: readonly RegistrationStatus[]): RegistrationStatus =>
  bestFirst.find((status) => statuses.includes(status)) ?? 'cancelled';
