import type { Response } from '../api/client.ts';

/** What the door shows for a badge. */
export type Verdict =
  | { kind: 'admitted'; registrationId: string; name: string }
  /** The badge was admitted at this door before. */
  | { kind: 'already'; registrationId: string; name: string; checkedInAt: string }
  | { kind: 'not_confirmed'; registrationStatus: string }
  | { kind: 'gate_closed'; perks: string[] }
  | { kind: 'replaced' }
  | { kind: 'unknown_badge' }
  | { kind: 'door_gone' }
  /** The event does not admit anybody, for example because it is archived. */
  | { kind: 'refused'; message: string }
  /** The device is revoked or expired. */
  | { kind: 'ended' }
  /** The platform did not decide: the scan may be repeated. */
  | { kind: 'undecided' };

interface Detail {
  field?: string;
  reason?: string;
  registrationStatus?: string;
  perks?: { name: string | null }[];
}

interface Result {
  checkin: { checkedInAt: string };
  registration: { id: string; name: string };
  alreadyCheckedIn: boolean;
}

/** The verdict that a response to a check-in means. */
export function decideVerdict(response: Response): Verdict {
  if (response.status === null || isTemporary(response.status)) return { kind: 'undecided' };
  if (response.status < 300) return admitted(response.body as Result);
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

const admitted = ({ alreadyCheckedIn, checkin, registration }: Result): Verdict => {
  const person = { registrationId: registration.id, name: registration.name };
  return alreadyCheckedIn
    ? { kind: 'already', ...person, checkedInAt: checkin.checkedInAt }
    : { kind: 'admitted', ...person };
};

/** A 404 names the field that matches nothing: the badge or the door. */
const notFound = ({ field }: Detail): Verdict =>
  field === 'subjectId' ? { kind: 'door_gone' } : { kind: 'unknown_badge' };

function refused(
  { reason, registrationStatus = '', perks = [] }: Detail,
  message: string,
): Verdict {
  switch (reason) {
    case 'NOT_CONFIRMED':
      return { kind: 'not_confirmed', registrationStatus };
    case 'GATE_CLOSED':
      return { kind: 'gate_closed', perks: perks.flatMap(({ name }) => name ?? []) };
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
