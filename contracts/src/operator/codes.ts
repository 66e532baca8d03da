import { z } from 'zod';
import { id, line, listOf, timestamp, timestampOut } from '../http/fields.ts';
import { RedemptionCode } from '../http/redemption-codes.ts';
import { operation } from '../operation.ts';
import { commandsOf } from './command-config.ts';
import { pageFields } from './page.ts';
import { eventScope, reference } from './reference.ts';

const command = commandsOf({ tag: 'Redemption codes', owner: 'registration', permission: 'codes' });

/** The codes that one request has created, if they are several. */
export const CodeBatch = z.object({
  id: id('batch'),
  registrationTypeId: id('tt'),
  label: z.string().nullable(),
  codes: z.int().meta({ description: 'How many codes it has', example: 50 }),
  active: z.int().meta({ description: 'How many of them are not disabled', example: 50 }),
  uses: z.int().meta({ description: 'Uses of all its codes', example: 12 }),
  maxUses: z.int().nullable().meta({ description: 'Of each code. Null means unlimited.' }),
  createdAt: timestampOut(),
});

const ofOne = { ...eventScope, batchId: reference('batch', 'The batch') };

export const listCodeBatches = operation({
  ...command('code.listBatches', 'List the batches of redemption codes of an event, newest first', {
    isRead: true,
    description: 'A batch is what one request has created with a `count` above 1.',
  }),
  schema: {
    body: z.object({ ...eventScope, ...pageFields }),
    response: { 200: listOf('batches', CodeBatch) },
  },
});

export const listCodesOfBatch = operation({
  ...command('code.listBatch', 'List the redemption codes of a batch, newest first', {
    isRead: true,
  }),
  schema: {
    body: z.object({ ...ofOne, ...pageFields }),
    response: { 200: listOf('redemptionCodes', RedemptionCode) },
  },
});

export const disableCodeBatch = operation({
  ...command(
    'code.disableBatch',
    'Disable all redemption codes of a batch; a retry changes nothing',
    {
      description: 'Permanent. All of them or none. Registrations that used one stay.',
    },
  ),
  schema: { body: z.object(ofOne), response: { 200: CodeBatch } },
});

export const updateCode = operation({
  ...command('code.update', 'Change a redemption code; omitted fields keep their values', {
    description:
      'The code, its ticket type and its discount stay: they are what a buyer was promised. A disabled code stays disabled. ' +
      'A limit below the present uses only ends further ones.',
  }),
  schema: {
    body: z.object({
      ...eventScope,
      redemptionCodeId: reference('code', 'The redemption code'),
      label: line({ min: 0, max: 200 })
        .nullable()
        .optional()
        .meta({ description: 'Only the team sees it', example: 'Speakers' }),
      maxUses: z
        .int()
        .min(1)
        .max(1_000_000)
        .nullable()
        .optional()
        .meta({ description: 'Null means unlimited', example: 10 }),
      expiresAt: timestamp()
        .nullable()
        .optional()
        .meta({ description: 'When the code expires, in the future; null means never' }),
    }),
    response: { 200: RedemptionCode },
  },
});
