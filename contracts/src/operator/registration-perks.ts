import { z } from 'zod';
import { id, listOf } from '../http/fields.ts';
import { codeStatuses } from '../http/redemption-codes.ts';
import { EffectivePerk } from '../http/registrations.ts';
import { operation } from '../operation.ts';
import { pageFields } from './page.ts';
import { eventScope, reference } from './reference.ts';

const config = { tag: 'Perks', owner: 'registration', audience: 'operator' } as const;

const grant = z.object({
  ...eventScope,
  perkId: reference('perk', 'The perk'),
  registrationId: reference('reg', 'The registration'),
});

/** The perks of a registration after a grant or a revocation. */
const RegistrationPerks = z.object({
  registrationId: id('reg'),
  perks: z.array(EffectivePerk),
});

export const grantPerk = operation({
  method: 'POST',
  url: '/operator/perk.grant',
  config: {
    ...config,
    operationId: 'perk.grant',
    permission: 'design',
    summary: 'Grant a perk to one registration; a retry changes nothing',
  },
  schema: { body: grant, response: { 200: RegistrationPerks } },
});

export const revokePerk = operation({
  method: 'POST',
  url: '/operator/perk.revoke',
  config: {
    ...config,
    operationId: 'perk.revoke',
    permission: 'design',
    summary: 'Revoke a perk that was granted with perk.grant; a retry changes nothing',
  },
  schema: { body: grant, response: { 200: RegistrationPerks } },
});

const targetType = z.literal('redemption_code').meta({ description: 'What delivers the perk' });

const binding = z.object({
  ...eventScope,
  perkId: reference('perk', 'The perk'),
  targetType,
  targetId: reference(
    'code',
    'The ticket type (tt_…), add-on (addon_…) or redemption code (code_…)',
  ),
});

/**
 * A perk with the redemption codes that deliver it; `perk.list` has the ticket types and add-ons.
 */
const CodePerk = z.object({
  id: id('perk'),
  eventId: id('evt'),
  name: z.string(),
  description: z.string().nullable(),
  bindings: z.array(z.object({ targetType, targetId: id('code') })),
});

export const bindCodePerk = operation({
  method: 'POST',
  url: '/operator/perk.bind',
  config: {
    ...config,
    operationId: 'perk.bind',
    permission: 'design',
    summary: 'Let a ticket type, an add-on or a redemption code deliver a perk',
  },
  schema: { body: binding, response: { 200: CodePerk } },
});

export const unbindCodePerk = operation({
  method: 'POST',
  url: '/operator/perk.unbind',
  config: {
    ...config,
    operationId: 'perk.unbind',
    permission: 'design',
    summary: 'Stop a ticket type, an add-on or a redemption code from delivering a perk',
  },
  schema: { body: binding, response: { 200: CodePerk } },
});

export const listCodePerks = operation({
  method: 'POST',
  url: '/operator/perk.listCodes',
  config: {
    ...config,
    operationId: 'perk.listCodes',
    isRead: true,
    permission: 'codes',
    summary: 'List the redemption codes of an event that deliver perks, oldest first',
    description: '`perk.list` has the ticket types and add-ons that deliver perks.',
  },
  schema: {
    body: z.object({ ...eventScope, ...pageFields }),
    response: {
      200: listOf(
        'codes',
        z.object({
          id: id('code'),
          code: z.string().meta({ example: 'FRIENDS-10' }),
          label: z.string().nullable(),
          status: z.enum(codeStatuses),
          perkIds: z.array(id('perk')),
        }),
      ),
    },
  },
});
