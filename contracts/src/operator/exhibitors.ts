import { z } from 'zod';
import { Exhibitor } from '../http/exhibitors.ts';
import { description, line, name, requireField } from '../http/fields.ts';
import { operation } from '../operation.ts';
import { commandsOf } from './command-config.ts';
import { eventScope, reference } from './reference.ts';

const command = commandsOf({ tag: 'Exhibitors', owner: 'onsite', permission: 'design' });

const website = () =>
  z
    .url({ protocol: /^https?$/, error: 'must be an http or https address' })
    .max(2000)
    .check((ctx) => {
      if (ctx.value.isWellFormed() && !ctx.value.includes('\0')) return;
      ctx.issues.push({ code: 'custom', message: 'is not valid', input: ctx.value });
    });

const profile = {
  name: name().meta({ description: 'The name of the company', example: 'Analytical Engines' }),
  description: description().nullable().meta({ description: 'A text about the company' }),
  website: website()
    .nullable()
    .meta({ description: 'An http or https address', example: 'https://example.com' }),
};

const ofOne = { ...eventScope, exhibitorId: reference('exh', 'The exhibitor') };

export const createExhibitor = operation({
  ...command('exhibitor.create', 'Create a company with the status pending'),
  schema: {
    body: z.object({
      ...eventScope,
      name: profile.name,
      description: profile.description.default(null),
      website: profile.website.default(null),
    }),
    response: { 201: Exhibitor },
  },
});

export const updateExhibitor = operation({
  ...command('exhibitor.update', "Change a company's profile; omitted fields keep their values"),
  schema: {
    body: z.object({ ...ofOne, ...z.object(profile).partial().shape }),
    response: { 200: Exhibitor },
  },
});

export const confirmExhibitor = operation({
  ...command('exhibitor.confirm', 'Confirm a company; a retry changes nothing'),
  schema: { body: z.object(ofOne), response: { 200: Exhibitor } },
});

export const declineExhibitor = operation({
  ...command('exhibitor.decline', 'Decline a company; a retry changes nothing'),
  schema: { body: z.object(ofOne), response: { 200: Exhibitor } },
});

export const addMember = operation({
  ...command('exhibitor.addMember', 'Add a registration to the roster, or change its role'),
  schema: {
    body: z.object({
      ...ofOne,
      registrationId: reference('reg', 'The registration'),
      role: line({ min: 1, max: 200 }).meta({ description: 'Free text', example: 'Host' }),
    }),
    response: { 200: Exhibitor },
  },
});

export const removeMember = operation({
  ...command('exhibitor.removeMember', 'Remove a registration from the roster'),
  schema: {
    body: z.object({ ...ofOne, registrationId: reference('reg', 'The registration') }),
    response: { 200: Exhibitor },
  },
});

export const allocateBooth = operation({
  ...command(
    'exhibitor.allocateBooth',
    'Allocate a booth to a company; its number is unique in the event',
  ),
  schema: {
    body: z.object({
      ...ofOne,
      number: line({ min: 1, max: 200 }).meta({
        description: 'Unique within the event',
        example: 'A12',
      }),
      type: line({ min: 1, max: 200 }).meta({ description: 'Free text', example: 'corner' }),
      venueId: reference('ven', 'The venue').nullable().default(null),
    }),
    response: { 200: Exhibitor },
  },
});

export const releaseBooth = operation({
  ...command('exhibitor.releaseBooth', 'Release a booth, by its number or its id'),
  schema: {
    body: z
      .object({
        ...ofOne,
        number: line({ min: 1, max: 200 })
          .optional()
          .meta({ description: 'The number of the booth', example: 'A12' }),
        boothId: reference('booth', 'The booth').optional(),
      })
      .check((ctx) => {
        if (ctx.value.number !== undefined || ctx.value.boothId !== undefined) return;
        requireField(ctx, 'number', 'is required, unless boothId is sent');
      })
      .meta({ example: { number: 'A12' } }),
    response: { 200: Exhibitor },
  },
});
