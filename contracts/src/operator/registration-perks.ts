import { z } from 'zod';
import { id, text } from '../http/fields.ts';
import { EffectivePerk } from '../http/registrations.ts';
import { operation } from '../operation.ts';
import { eventScope } from './perks.ts';

const reference = () => text({ min: 1, max: 200 });

const config = { tag: 'Perks', owner: 'registration', audience: 'operator' } as const;

const grant = z.object({ ...eventScope, perkId: reference(), registrationId: reference() });

/** What somebody has after a grant or a revocation. */
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
    summary: 'Give a perk to one registration; a repeat changes nothing',
  },
  schema: { body: grant, response: { 200: RegistrationPerks } },
});

export const revokePerk = operation({
  method: 'POST',
  url: '/operator/perk.revoke',
  config: {
    ...config,
    operationId: 'perk.revoke',
    summary: 'Take back a perk that was given by perk.grant; a repeat changes nothing',
  },
  schema: { body: grant, response: { 200: RegistrationPerks } },
});

const targetType = z.literal('redemption_code');

const binding = z.object({
  ...eventScope,
  perkId: reference(),
  targetType,
  targetId: reference(),
});

/** A perk with the redemption codes that deliver it; `perk.list` has the ticket types and add-ons. */
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
    summary: 'Let a redemption code deliver a perk; a repeat changes nothing',
  },
  schema: { body: binding, response: { 200: CodePerk } },
});

export const unbindCodePerk = operation({
  method: 'POST',
  url: '/operator/perk.unbind',
  config: {
    ...config,
    operationId: 'perk.unbind',
    summary: 'Undo a binding to a redemption code; a repeat changes nothing',
  },
  schema: { body: binding, response: { 200: CodePerk } },
});
