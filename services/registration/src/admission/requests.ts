import type { ReleaseDecision } from '../claims/closing/rules.ts';
import type { FulfilDecision } from '../claims/fulfilment/rules.ts';
import type { ClaimDecision, ClaimRequest } from '../claims/rules.ts';
import type { MoveDecision, RegisterDecision, RegisterRequest } from '../registrations/rules.ts';
import type { Change } from './rules.ts';

/** All that can be asked of admission, and what it answers. */
export interface Answers {
  register: RegisterDecision;
  approve: MoveDecision;
  reject: MoveDecision;
  cancel: MoveDecision;
  claim: ClaimDecision;
  fulfil: FulfilDecision;
  release: ReleaseDecision;
  revoke: { changes: Change[] };
  settle: { outcome: 'settled' };
}

export type AdmissionRequest =
  | { kind: 'register'; request: RegisterRequest }
  | { kind: 'approve'; registrationId: string }
  | { kind: 'reject'; registrationId: string; reason: string | null }
  | { kind: 'cancel'; registrationId: string }
  | { kind: 'claim'; request: ClaimRequest }
  | { kind: 'fulfil'; request: ClaimRequest & { retake: boolean } }
  | { kind: 'release'; claimId: string; onlyIfOver: boolean }
  | { kind: 'revoke'; orderId: string }
  | { kind: 'settle' };

export type Answer = Answers[keyof Answers];

/** The records that requests are about: what a batch reads before it decides. */
export interface Mentioned {
  emails: string[];
  registrationIds: string[];
  orderIds: string[];
  codeKeys: string[];
  claimIds: string[];
  /** Of claims, whose limits are checked. */
  buyerEmails: string[];
  /** Whether any of them can give a seat back. */
  mayGiveBack: boolean;
}

const givingBack: readonly AdmissionRequest['kind'][] = ['cancel', 'fulfil', 'release', 'revoke'];

export function mentionedBy(requests: readonly AdmissionRequest[]): Mentioned {
  const emails = new Set<string>();
  const registrationIds = new Set<string>();
  const orderIds = new Set<string>();
  const codeKeys = new Set<string>();
  const claimIds = new Set<string>();
  const buyerEmails = new Set<string>();
  for (const asked of requests) {
    if (asked.kind === 'register') {
      emails.add(asked.request.person.normalEmail);
      if (asked.request.codeKey) codeKeys.add(asked.request.codeKey);
    } else if (asked.kind === 'claim' || asked.kind === 'fulfil') {
      const { buyerEmail, seats, codeKey, claimId } = asked.request;
      emails.add(buyerEmail);
      for (const { person } of seats) emails.add(person.normalEmail);
      if (codeKey) codeKeys.add(codeKey);
      claimIds.add(claimId);
      if (asked.kind === 'claim') buyerEmails.add(buyerEmail);
    } else if (asked.kind === 'release') claimIds.add(asked.claimId);
    else if (asked.kind === 'revoke') {
      orderIds.add(asked.orderId);
      claimIds.add(asked.orderId);
    } else if (asked.kind !== 'settle') registrationIds.add(asked.registrationId);
  }
  return {
    emails: [...emails],
    registrationIds: [...registrationIds],
    orderIds: [...orderIds],
    codeKeys: [...codeKeys],
    claimIds: [...claimIds],
    buyerEmails: [...buyerEmails],
    mayGiveBack: requests.some(({ kind }) => givingBack.includes(kind)),
  };
}

/** How much of a batch a request takes up. */
export function seatsOf(asked: AdmissionRequest): number {
  if (asked.kind === 'claim' || asked.kind === 'fulfil')
    return Math.max(1, asked.request.seats.length);
  return 1;
}
