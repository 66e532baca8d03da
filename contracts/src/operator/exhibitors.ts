import { z } from 'zod';
import { Exhibitor } from '../http/exhibitors.ts';
import { description, name, text } from '../http/fields.ts';
import { type OperationConfig, operation } from '../operation.ts';
import { eventScope, reference } from './reference.ts';

const config = { tag: 'Exhibitors', owner: 'onsite', audience: 'operator' } as const;

/** A command's URL and config, both from its name. */
const command = <const Name extends string>(operationId: Name, summary: string) => ({
  method: 'POST' as const,
  url: `/operator/${operationId}` as const,
  config: { ...config, operationId, summary } satisfies OperationConfig,
});

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
  ...command('exhibitor.create', 'Create a company that applies for a place'),
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
  ...command('exhibitor.update', "Change a company's profile; fields left out stay"),
  schema: {
    body: z.object({ ...ofOne, ...z.object(profile).partial().shape }),
    response: { 200: Exhibitor },
  },
});

export const confirmExhibitor = operation({
  ...command('exhibitor.confirm', 'Confirm a company; a repeat changes nothing'),
  schema: { body: z.object(ofOne), response: { 200: Exhibitor } },
});

export const declineExhibitor = operation({
  ...command('exhibitor.decline', 'Decline a company; a repeat changes nothing'),
  schema: { body: z.object(ofOne), response: { 200: Exhibitor } },
});

export const addMember = operation({
  ...command('exhibitor.addMember', 'Put a registration on the roster, or give it another role'),
  schema: {
    body: z.object({
      ...ofOne,
      registrationId: reference('reg', 'The registration'),
      role: text({ min: 1, max: 200 }).meta({ description: 'Free text', example: 'Host' }),
    }),
    response: { 200: Exhibitor },
  },
});

export const removeMember = operation({
  ...command('exhibitor.removeMember', 'Take a registration off the roster'),
  schema: {
    body: z.object({ ...ofOne, registrationId: reference('reg', 'The registration') }),
    response: { 200: Exhibitor },
  },
});

export const allocateBooth = operation({
  ...command('exhibitor.allocateBooth', 'Give a company a booth; a number is given once an event'),
  schema: {
    body: z.object({
      ...ofOne,
      number: text({ min: 1, max: 200 }).meta({
        description: 'Unique within the event',
        example: 'A12',
      }),
      type: text({ min: 1, max: 200 }).meta({ description: 'Free text', example: 'corner' }),
      venueId: reference('ven', 'The venue').nullable().default(null),
    }),
    response: { 200: Exhibitor },
  },
});

export const releaseBooth = operation({
  ...command('exhibitor.releaseBooth', 'Take a booth back, by its number or its id'),
  schema: {
    body: z
      .object({
        ...ofOne,
        number: text({ min: 1, max: 200 })
          .optional()
          .meta({ description: 'The number of the booth', example: 'A12' }),
        boothId: reference('booth', 'The booth').optional(),
      })
      .check((ctx) => {
        if (ctx.value.number !== undefined || ctx.value.boothId !== undefined) return;
        const message = 'is required, or boothId';
        ctx.issues.push({ code: 'custom', message, path: ['number'], input: undefined });
      })
      .meta({ example: { number: 'A12' } }),
    response: { 200: Exhibitor },
  },
});
