import type { ExpectedRegistration } from '@event-api/contracts/http/registrations';
import { canonicalJson } from '@event-api/platform/http/canonical-json';
import type { Details, Expected } from '../seats/seats.rules.ts';

/**
 * What a request expects, in the form in which decisions compare it; null if it expects nothing.
 */
export function expectedOf(expected: ExpectedRegistration | undefined): Expected | null {
  if (!expected) return null;
  const { status, ...fields } = expected;
  const details: Partial<Details> = Object.fromEntries(
    Object.entries(fields)
      .filter(([, value]) => value !== undefined)
      .map(([field, value]) => [field, canonicalJson(value)]),
  );
  return { status, ...details };
}
