import { z } from 'zod';
import { badgeCode, requireField } from '../http/fields.ts';
import { PerkSource, Registration, registrationStatuses } from '../http/registrations.ts';
import { operation } from '../operation.ts';
import { reference, scopeFields } from './scope.ts';

/** The registration of a badge, with its effective perks. */
const badge = {
  registration: Registration.pick({ id: true, eventId: true, checkinCode: true }).extend({
    status: z.enum(registrationStatuses),
    version: z.int(),
    replacedCheckinCodes: z.array(z.string()),
    name: z.string().nullable(),
    registrationTypeId: z.string().nullable(),
    /** The times of its ticket type. The previous release sends none. */
    admissionOpensAt: z.string().nullable().default(null),
    admissionClosesAt: z.string().nullable().default(null),
  }),
  perkIds: z.array(z.string()),
};

export const readBadge = operation({
  method: 'POST',
  url: '/internal/badges/read',
  config: {
    tag: 'Internal',
    owner: 'registration',
    audience: 'service',
    operationId: 'readBadge',
    summary: 'The registration behind a badge, with its effective perks',
  },
  schema: {
    body: z
      .object({
        ...scopeFields,
        registrationId: reference().optional(),
        checkinCode: badgeCode().optional(),
      })
      .check((ctx) => {
        const { registrationId, checkinCode } = ctx.value;
        if (registrationId !== undefined || checkinCode !== undefined) return;
        requireField(ctx, 'registrationId', 'is required, unless checkinCode is sent');
      }),
    response: {
      200: z.object({
        ...badge,
        /** What delivers the perks. */
        perkSources: z.array(PerkSource.extend({ perkIds: z.array(z.string()) })),
      }),
    },
  },
});

/** The most badges of one request. */
export const maxBadges = 500;

export const readBadges = operation({
  method: 'POST',
  url: '/internal/badges/read-many',
  config: {
    tag: 'Internal',
    owner: 'registration',
    audience: 'service',
    operationId: 'readBadges',
    summary: 'The registrations behind many badges, with their effective perks',
  },
  schema: {
    body: z.object({
      ...scopeFields,
      /** Registrations by their ids. */
      registrationIds: z.array(reference()).max(maxBadges),
      /** Registrations by their present or former codes. */
      checkinCodes: z.array(badgeCode()).max(maxBadges),
    }),
    response: {
      /** In no order, and without those that the event does not have. */
      200: z.object({ badges: z.array(z.object(badge)) }),
    },
  },
});
