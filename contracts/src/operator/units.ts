import { z } from 'zod';
import { cellPattern, cellRule } from '../cells.ts';
import { currency, id, name, timestampOut } from '../http/fields.ts';
import { operation } from '../operation.ts';
import { reference } from './reference.ts';

export const BusinessUnit = z.object({
  id: id('unit'),
  name: z.string(),
  defaultCurrency: z.string(),
  cell: z
    .string()
    .nullable()
    .meta({ description: 'The cell that has it; null for the default cell.' }),
  createdAt: timestampOut(),
});

const config = { tag: 'Business units', owner: 'gateway', audience: 'operator' } as const;

export const createUnit = operation({
  method: 'POST',
  url: '/operator/unit.create',
  config: {
    ...config,
    operationId: 'unit.create',
    permission: 'platform',
    summary: 'Create a business unit; its keys see only its records',
    description:
      'The business unit belongs to the cell that carries out the command. With `cell`, another one refuses it.',
    preconditions: ['OTHER_CELL'],
  },
  schema: {
    body: z.object({
      name: name().meta({ description: 'The name of the business unit', example: 'Acme Events' }),
      defaultCurrency: currency()
        .default('EUR')
        .meta({ description: 'The currency of new events, an ISO 4217 code' }),
      cell: z.string().regex(cellPattern, cellRule).nullable().optional().meta({
        description: 'The cell in which it is to be created; null is the default cell.',
        example: 'eu2',
      }),
    }),
    response: { 201: BusinessUnit },
  },
});

export const getUnit = operation({
  method: 'POST',
  url: '/operator/unit.get',
  config: {
    ...config,
    operationId: 'unit.get',
    isRead: true,
    permission: 'catalog.read',
    summary: 'Show a business unit',
  },
  schema: {
    body: z.object({ businessUnitId: reference('unit', 'The business unit') }),
    response: { 200: BusinessUnit },
  },
});

export const listUnits = operation({
  method: 'POST',
  url: '/operator/unit.list',
  config: {
    ...config,
    operationId: 'unit.list',
    isRead: true,
    permission: 'platform',
    summary: 'List business units, oldest first',
  },
  schema: { body: z.object({}), response: { 200: z.object({ units: z.array(BusinessUnit) }) } },
});
