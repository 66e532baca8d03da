import { z } from 'zod';
import { description, id, name, text, timestampOut } from '../http/fields.ts';
import { operation } from '../operation.ts';

/** What a perk can be bound to, so that whoever has that has the perk. */
export const perkTargetTypes = ['registration_type', 'addon'] as const;
export type PerkTargetType = (typeof perkTargetTypes)[number];

const reference = () => text({ min: 1, max: 200 });

/** Where in the platform an operator command works. */
export const eventScope = { businessUnitId: reference(), eventId: reference() };

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
    summary: 'Create a perk: something that a ticket or an add-on delivers',
    preconditions: ['EVENT_ARCHIVED'],
  },
  schema: {
    body: z.object({
      ...eventScope,
      name: name(),
      description: description().nullable().default(null),
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
    summary: 'List the perks of an event with what they are bound to, oldest first',
  },
  schema: { body: z.object(eventScope), response: { 200: z.object({ perks: z.array(Perk) }) } },
});

const binding = z.object({
  ...eventScope,
  perkId: reference(),
  targetType: z.enum(perkTargetTypes),
  targetId: reference(),
});

export const bindPerk = operation({
  method: 'POST',
  url: '/operator/perk.bind',
  config: {
    ...config,
    operationId: 'perk.bind',
    summary: 'Let a ticket type or an add-on deliver a perk; a repeat changes nothing',
  },
  schema: { body: binding, response: { 200: Perk } },
});

export const unbindPerk = operation({
  method: 'POST',
  url: '/operator/perk.unbind',
  config: {
    ...config,
    operationId: 'perk.unbind',
    summary: 'Undo a binding; a repeat changes nothing',
  },
  schema: { body: binding, response: { 200: Perk } },
});
