import type { AdmissionState, Expected } from '../seats/seats.rules.ts';

const comparedFields = ['email', 'name', 'registrationTypeId', 'responses'] as const;

/**
 * The first field of a registration that has another value than its caller has read, or null. A
 * change of something that another caller has changed in the meantime is refused.
 */
export function changedField(
  state: Pick<AdmissionState, 'registrations' | 'details'>,
  registrationId: string,
  expected: Expected | null | undefined,
): keyof Expected | null {
  if (!expected) return null;
  const status = state.registrations.get(registrationId)?.status;
  if (expected.status !== undefined && expected.status !== status) return 'status';
  const details = state.details.get(registrationId);
  return (
    comparedFields.find((field) => {
      const value = expected[field];
      return value !== undefined && value !== details?.[field];
    }) ?? null
  );
}
