import { z } from 'zod';

/**
 * One entry of an error's `details`: of a 400, of a 404 for an id in the body and of a 409 for a
 * value in it a `FieldIssue`, of a 412 the `reason`, of a 403 the groups. Other fields say what the message is about.
 */
export const ErrorDetail = z
  .looseObject({
    field: z.string().optional().meta({
      description: 'Where: `items[0].quantity`, a parameter, a header, or `body`',
      example: 'items[0].quantity',
    }),
    issue: z.string().optional().meta({ example: 'must be at least 1' }),
    code: z.string().optional().meta({
      description: 'What is wrong with the field, as a stable code',
      example: 'too_small',
    }),
    reason: z.string().optional().meta({
      description: 'The business rule that a 412 is about, as a stable code',
      example: 'SOLD_OUT',
    }),
    seatsLeft: z.int().optional().meta({ description: 'Seats that can still be ordered' }),
    usesLeft: z.int().optional().meta({ description: 'Uses that the redemption code has left' }),
    status: z.string().optional().meta({
      description: 'The status of the record, of an `ORDER_CLOSED` or a `SEAT_NOT_OPEN`',
      example: 'expired',
    }),
    registrationStatus: z.string().optional().meta({
      description: 'The status of the registration, of a `NOT_CONFIRMED`',
      example: 'waitlisted',
    }),
    perks: z
      .array(z.object({ id: z.string(), name: z.string().nullable() }))
      .optional()
      .meta({
        description: 'The perks that open the gate, of a `GATE_CLOSED`. Any of them is sufficient',
        example: [{ id: 'perk_01k8zq4m3ne7rbj5t2xw9vd6ah', name: 'Lounge access' }],
      }),
    permissions: z
      .array(z.string())
      .optional()
      .meta({
        description: 'The permissions of which the operation needs one, of a 403',
        example: ['badges'],
      }),
    groups: z
      .array(z.string())
      .optional()
      .meta({
        description: 'The groups of keys that have one of these permissions, of a 403',
        example: ['read', 'sell', 'manage'],
      }),
    keyGroups: z
      .array(z.string())
      .optional()
      .meta({ description: 'The groups of the key, of a 403', example: ['doors'] }),
    limit: z.int().optional().meta({ description: 'The limit that would be exceeded' }),
  })
  .meta({ id: 'ErrorDetail' });

/** The one shape of every error. */
export const ErrorEnvelope = z
  .object({
    error: z.object({
      code: z.int().meta({ description: 'The HTTP status', example: 400 }),
      status: z.string().meta({ example: 'INVALID_ARGUMENT' }),
      message: z.string(),
      details: z.array(ErrorDetail).optional().meta({
        description:
          'What is wrong, at most 50 entries. Decide by `code` and `reason`; messages may change.',
      }),
    }),
  })
  .meta({ id: 'Error' });

export type ErrorDetail = z.infer<typeof ErrorDetail>;

export type ErrorEnvelope = z.infer<typeof ErrorEnvelope>;

/** One entry of a 400's `details`. At most 50 are listed. */
export type FieldIssue = Required<Pick<ErrorDetail, 'field' | 'issue' | 'code'>>;
