import { describe, expect, test } from 'vitest';
import { decideRole, type MemberRole } from './members.rules.ts';

const owner: MemberRole = { operatorId: 'opr_1', role: 'owner' };
const second: MemberRole = { operatorId: 'opr_2', role: 'owner' };
const viewer: MemberRole = { operatorId: 'opr_3', role: 'viewer' };

describe('decideRole', () => {
  test.each([
    ['a viewer becomes an owner', [owner, viewer], 'opr_3', 'owner', 'change'],
    ['a viewer leaves', [owner, viewer], 'opr_3', null, 'change'],
    ['one of two owners leaves', [owner, second], 'opr_1', null, 'change'],
    ['one of two owners becomes a viewer', [owner, second], 'opr_1', 'viewer', 'change'],
    ['an owner becomes an owner', [owner], 'opr_1', 'owner', 'unchanged'],
    ['the last owner leaves', [owner, viewer], 'opr_1', null, 'last_owner'],
    ['the last owner becomes an organizer', [owner, viewer], 'opr_1', 'organizer', 'last_owner'],
    ['a stranger gets a role', [owner], 'opr_9', 'viewer', 'missing'],
    ['a stranger leaves', [owner], 'opr_9', null, 'missing'],
  ] as const)('when %s', (_, members, operatorId, role, outcome) => {
    expect(decideRole([...members], operatorId, role)).toEqual({ outcome });
  });
});
