import { z } from 'zod';
import { email, id, timestampOut } from '../http/fields.ts';
import { operation } from '../operation.ts';
import { roles } from '../permissions.ts';
import { reference } from './reference.ts';

const Role = z.enum(roles);
const businessUnitId = reference('unit', 'The business unit');
const invitedEmail = email().optional().meta({
  description:
    'Only an identity with this verified email can accept. Without it, everyone with the link can.',
});

/** An operator in a business unit. */
export const Member = z.object({
  operatorId: id('opr'),
  name: z.string(),
  email: z.string().nullable(),
  role: Role,
  createdAt: timestampOut(),
});

/** An operator who administers the platform. */
export const Administrator = z.object({
  operatorId: id('opr'),
  name: z.string(),
  email: z.string().nullable(),
});

/** A link that was not accepted yet, without its secret. */
export const Invitation = z.object({
  id: id('inv'),
  businessUnitId: id('unit').nullable(),
  role: Role.nullable(),
  platformAdmin: z.boolean(),
  email: z.string().nullable(),
  createdAt: timestampOut(),
  expiresAt: timestampOut(),
});

const NewInvitation = Invitation.extend({
  link: z.string().nullable().meta({
    description: 'Shown once: it contains the secret of the invitation. Null in a replay.',
  }),
});

const config = {
  tag: 'Members',
  owner: 'console',
  audience: 'operator',
  permission: 'members',
} as const;

export const listMembers = operation({
  method: 'POST',
  url: '/operator/member.list',
  config: {
    ...config,
    operationId: 'member.list',
    isRead: true,
    summary: 'List the operators of a business unit, oldest first',
  },
  schema: {
    body: z.object({ businessUnitId }),
    response: { 200: z.object({ members: z.array(Member) }) },
  },
});

export const inviteMember = operation({
  method: 'POST',
  url: '/operator/member.invite',
  config: {
    ...config,
    operationId: 'member.invite',
    summary: 'Create a link with which an operator becomes a member of a business unit',
    description:
      'The link is valid for seven days and once. Only this response shows it: a retry with the same `Idempotency-Key` returns the invitation with `link: null`.',
    secretInResponse: ['link'],
  },
  schema: {
    body: z.object({
      businessUnitId,
      role: Role.meta({ description: 'What the member may do' }),
      email: invitedEmail,
    }),
    response: { 201: NewInvitation },
  },
});

export const setMemberRole = operation({
  method: 'POST',
  url: '/operator/member.setRole',
  config: {
    ...config,
    operationId: 'member.setRole',
    summary: 'Change the role of a member; the next request of the member has the new one',
    preconditions: ['LAST_OWNER'],
  },
  schema: {
    body: z.object({
      businessUnitId,
      operatorId: reference('opr', 'The operator'),
      role: Role.meta({ description: 'What the member may do' }),
    }),
    response: { 200: Member },
  },
});

export const removeMember = operation({
  method: 'POST',
  url: '/operator/member.remove',
  config: {
    ...config,
    operationId: 'member.remove',
    summary: 'Remove a member; its next request to the business unit is rejected',
    preconditions: ['LAST_OWNER'],
  },
  schema: {
    body: z.object({ businessUnitId, operatorId: reference('opr', 'The operator') }),
    response: { 200: Member },
  },
});

export const listInvitations = operation({
  method: 'POST',
  url: '/operator/invitation.list',
  config: {
    ...config,
    operationId: 'invitation.list',
    isRead: true,
    summary: 'List the open invitations of a business unit, oldest first',
  },
  schema: {
    body: z.object({ businessUnitId }),
    response: { 200: z.object({ invitations: z.array(Invitation) }) },
  },
});

export const revokeInvitation = operation({
  method: 'POST',
  url: '/operator/invitation.revoke',
  config: {
    ...config,
    operationId: 'invitation.revoke',
    summary: 'Revoke an open invitation; its link is no longer valid',
  },
  schema: {
    body: z.object({ businessUnitId, id: reference('inv', 'The invitation') }),
    response: { 200: Invitation },
  },
});

export const inviteOperator = operation({
  method: 'POST',
  url: '/operator/operator.invite',
  config: {
    ...config,
    operationId: 'operator.invite',
    permission: 'platform',
    summary: 'Create a link for the first operator of a platform or of a business unit',
    description:
      'The link makes an administrator of the platform, a member of a business unit, or both. An administrator can accept it to become a member. A retry with the same `Idempotency-Key` returns `link: null`.',
    secretInResponse: ['link'],
  },
  schema: {
    body: z
      .object({
        platformAdmin: z
          .boolean()
          .default(false)
          .meta({ description: 'Whether the operator administers the platform' }),
        businessUnitId: businessUnitId.optional(),
        role: Role.optional().meta({
          description: 'What the member may do; required with businessUnitId',
        }),
        email: invitedEmail,
      })
      .superRefine((input, context) => {
        const { businessUnitId: unit, role, platformAdmin } = input;
        const missing = (field: string) =>
          context.addIssue({
            code: 'custom',
            message: 'is required',
            path: [field],
            params: { code: 'required' },
          });
        if (unit !== undefined && role === undefined) missing('role');
        if (unit === undefined && (role !== undefined || !platformAdmin)) missing('businessUnitId');
      })
      .meta({ example: { platformAdmin: true } }),
    response: { 201: NewInvitation },
  },
});

const platformConfig = { ...config, permission: 'platform' } as const;

export const listAdministrators = operation({
  method: 'POST',
  url: '/operator/operator.listAdmins',
  config: {
    ...platformConfig,
    operationId: 'operator.listAdmins',
    isRead: true,
    summary: 'List the administrators of the platform and the open invitations that make one',
  },
  schema: {
    body: z.object({}),
    response: {
      200: z.object({
        administrators: z.array(Administrator).meta({ description: 'Oldest first' }),
        invitations: z.array(Invitation).meta({ description: 'Oldest first' }),
      }),
    },
  },
});

export const removeAdministrator = operation({
  method: 'POST',
  url: '/operator/operator.removeAdmin',
  config: {
    ...platformConfig,
    operationId: 'operator.removeAdmin',
    summary: 'Remove an administrator of the platform; the next request has no such permission',
    description:
      'The operator stays a member of its business units. The command line can invite an administrator again, so the last one can be removed, too.',
  },
  schema: {
    body: z.object({ operatorId: reference('opr', 'The administrator') }),
    response: { 200: Administrator },
  },
});

export const revokeAdministratorInvitation = operation({
  method: 'POST',
  url: '/operator/operator.revokeInvitation',
  config: {
    ...platformConfig,
    operationId: 'operator.revokeInvitation',
    summary: 'Revoke an open invitation that makes an administrator of the platform',
  },
  schema: {
    body: z.object({ id: reference('inv', 'The invitation') }),
    response: { 200: Invitation },
  },
});
