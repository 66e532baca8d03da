import { describe, expect, test } from 'vitest';
import { type Acceptor, decideAcceptance, type InvitationState } from './invitations.rules.ts';

const now = new Date('2027-01-02T00:00:00Z');
const open: InvitationState = {
  email: null,
  expiresAt: new Date('2027-01-03T00:00:00Z'),
  revokedAt: null,
  acceptedBy: null,
};
const forAda = { ...open, email: 'ada@example.com' };
const ada: Acceptor = { operatorId: 'opr_1', email: 'Ada@Example.com', emailVerified: true };

describe('decideAcceptance', () => {
  test.each([
    ['an open one', open, ada, 'accept'],
    ['an open one by an operator without an email', open, { ...ada, email: null }, 'accept'],
    ['one for the email of the operator', forAda, ada, 'accept'],
    ['one for an unverified email', forAda, { ...ada, emailVerified: false }, 'for_other'],
    ['one for another email', forAda, { ...ada, email: 'eve@example.com' }, 'for_other'],
    ['one for an email by an operator without one', forAda, { ...ada, email: null }, 'for_other'],
    ['an expired one', { ...open, expiresAt: now }, ada, 'ended'],
    ['a revoked one', { ...open, revokedAt: now }, ada, 'ended'],
    ['one that another operator has accepted', { ...open, acceptedBy: 'opr_2' }, ada, 'ended'],
    ['one that the operator has accepted', { ...open, acceptedBy: 'opr_1' }, ada, 'accepted'],
    ['an unknown one', null, ada, 'ended'],
  ] as const)('of %s', (_, invitation, operator, outcome) => {
    expect(decideAcceptance(invitation, operator, now)).toEqual({ outcome });
  });
});
