import type { CheckinNotice } from '@event-api/contracts/http/checkins';
import type { Response } from '../api/client.ts';

/** What the door shows for a badge. */
export type Verdict =
  | ({ kind: 'admitted' } & Person)
  /**
   * The registration was admitted at this door before, with this badge or a former one. The time is
   * null if no clock is known to be right.
   */
  | ({ kind: 'already'; checkedInAt: string | null; badgeReplaced: boolean } & Person)
  | { kind: 'event_cancelled' }
  | { kind: 'not_confirmed'; registrationStatus: string }
  | { kind: 'gate_closed'; perks: string[] }
  | { kind: 'admission_closed'; admissionOpensAt: string | null; admissionClosesAt: string | null }
  /** The former badge of the ticket was let in, and the event refuses this one. */
  | { kind: 'former_inside'; checkedInAt: string | null }
  | { kind: 'replaced' }
  | { kind: 'unknown_badge' }
  | { kind: 'door_gone' }
  /** By a rule that this version of the page does not know. */
  | { kind: 'refused'; message: string }
  /** The device is revoked or expired. */
  | { kind: 'ended' }
  /** The platform did not decide: the scan may be repeated. */
  | { kind: 'undecided' };

interface Person {
  registrationId: string;
  name: string;
  /** What is unusual about the check-in. */
  notice: CheckinNotice | null;
}

interface Detail {
  field?: string;
  reason?: string;
  registrationStatus?: string;
  perks?: { name: string | null }[];
  admissionOpensAt?: string | null;
  admissionClosesAt?: string | null;
  checkedInAt?: string;
}

/** What a check-in returns, as far as a door needs it. */
export interface CheckinResponse {
  checkin: { id: string; checkedInAt: string; badgeReplaced: boolean };
  registration: { id: string; name: string | null };
  alreadyCheckedIn: boolean;
  notice: CheckinNotice | null;
}

/** The verdict that a response to a check-in means. */
export function decideVerdict(response: Response): Verdict {
  if (response.status === null || isTemporary(response.status)) return { kind: 'undecided' };
  if (response.status < 300) return admitted(response.body as CheckinResponse);
  if (response.status === 401) return { kind: 'ended' };
  const { error } = response.body as { error?: { message?: string; details?: Detail[] } };
  const [detail = {}] = error?.details ?? [];
  if (response.status === 404) return notFound(detail);
  if (response.status === 400) return { kind: 'unknown_badge' };
  return refused(detail, error?.message ?? '');
}

/** A 409 means that an earlier attempt of the same request is still running. */
const isTemporary = (status: number): boolean =>
  [408, 409, 425, 429].includes(status) || status >= 500;

const admitted = (response: CheckinResponse): Verdict => {
  const { alreadyCheckedIn, checkin, registration, notice } = response;
  const person = { registrationId: registration.id, name: registration.name ?? '', notice };
  const { checkedInAt, badgeReplaced } = checkin;
  return alreadyCheckedIn
    ? { kind: 'already', ...person, checkedInAt, badgeReplaced }
    : { kind: 'admitted', ...person };
};

/** A 404 names the field that matches nothing: the badge or the door. */
const notFound = ({ field }: Detail): Verdict =>
  field === 'subjectId' ? { kind: 'door_gone' } : { kind: 'unknown_badge' };

function refused(detail: Detail, message: string): Verdict {
  const { registrationStatus = '', perks = [], checkedInAt = null } = detail;
  const { admissionOpensAt = null, admissionClosesAt = null } = detail;
  switch (detail.reason) {
    case 'EVENT_CANCELLED':
      return { kind: 'event_cancelled' };
    case 'NOT_CONFIRMED':
      return { kind: 'not_confirmed', registrationStatus };
    case 'GATE_CLOSED':
      return { kind: 'gate_closed', perks: perks.flatMap(({ name }) => name ?? []) };
    case 'ADMISSION_CLOSED':
      return { kind: 'admission_closed', admissionOpensAt, admissionClosesAt };
    case 'FORMER_BADGE_INSIDE':
      return { kind: 'former_inside', checkedInAt };
    case 'BADGE_REPLACED':
      return { kind: 'replaced' };
    default:
      return { kind: 'refused', message };
  }
}

export type Tone = 'go' | 'look' | 'stop';

/** The color, the symbol and the sound of a verdict: let in, look at it, do not let in. */
export function toneOf({ kind }: Verdict): Tone {
  if (kind === 'admitted') return 'go';
  return kind === 'already' || kind === 'undecided' ? 'look' : 'stop';
}
