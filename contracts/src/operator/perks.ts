import { z } from 'zod';
import { description, id, itemType, name, timestampOut } from '../http/fields.ts';
import { operation } from '../operation.ts';
import { eventScope, reference } from './reference.ts';

/** The items that deliver a perk to everyone who has them. */
export const perkTargetTypes = ['registration_type', 'addon'] as const;
export type PerkTargetType = (typeof perkTargetTypes)[number];

export const Perk = z.object({
  id: id('perk'),
  eventId: id('evt'),
  name: z.string(),
  description: z.string().nullable(),
  bindings: z.array(z.object({ targetType: z.enum(perkTargetTypes), targetId: z.string() })),
  createdAt: timestampOut(),
});

const config = { tag: 'Perks', owner: 'catalog', audience: 'operator' } as const;

export const createPerk = operation({
  method: 'POST',
  url: '/operator/perk.create',
  config: {
    ...config,
    operationId: 'perk.create',
    permission: 'design',
    summary: 'Create a perk: something that a ticket or an add-on delivers',
    preconditions: ['EVENT_ARCHIVED'],
  },
  schema: {
    body: z.object({
      ...eventScope,
      name: name().meta({ description: 'The name of the perk', example: 'Lounge access' }),
      description: description()
        .nullable()
        .default(null)
        .meta({ description: 'A text about the perk' }),
    }),
    response: { 201: Perk },
  },
});

export const listPerks = operation({
  method: 'POST',
  url: '/operator/perk.list',
  config: {
    ...config,
    operationId: 'perk.list',
    isRead: true,
    permission: 'catalog.read',
    summary: 'List the perks of an event with what they are bound to, oldest first',
  },
  schema: { body: z.object(eventScope), response: { 200: z.object({ perks: z.array(Perk) }) } },
});

const binding = z.object({
  ...eventScope,
  perkId: reference('perk', 'The perk'),
  targetType: itemType(perkTargetTypes).meta({
    description: 'What delivers the perk; `ticket_type` is a synonym of `registration_type`',
    example: 'registration_type',
  }),
  targetId: reference(
    ['tt', 'addon'],
    'The ticket type (tt_…), add-on (addon_…) or redemption code (code_…)',
  ),
});

export const bindPerk = operation({
  method: 'POST',
  url: '/operator/perk.bind',
  config: {
    ...config,
    operationId: 'perk.bind',
    permission: 'design',
    summary: 'Let a ticket type, an add-on or a redemption code deliver a perk',
  },
  schema: { body: binding, response: { 200: Perk } },
});

export const unbindPerk = operation({
  method: 'POST',
  url: '/operator/perk.unbind',
  config: {
    ...config,
    operationId: 'perk.unbind',
    permission: 'design',
    summary: 'Stop a ticket type, an add-on or a redemption code from delivering a perk',
  },
  schema: { body: binding, response: { 200: Perk } },
});
