import { z } from 'zod';
import { email, name } from '../http/fields.ts';
import { Order } from '../http/orders.ts';
import { operation } from '../operation.ts';
import { commandsOf } from './command-config.ts';
import { eventScope, reference } from './reference.ts';

const command = commandsOf({ tag: 'Orders', owner: 'commerce', permission: 'people.write' });

export const updateOrder = operation({
  ...command(
    'order.update',
    'Correct the name or the email of the buyer of an order; omitted fields keep their values',
    {
      description:
        'The people of its seats, its money and an open payment page stay. Limits per email still count the order for the email with which it was placed.',
    },
  ),
  schema: {
    body: z.object({
      ...eventScope,
      orderId: reference('ord', 'The order'),
      email: email().optional().meta({ description: 'The email of the buyer' }),
      name: name()
        .nullable()
        .optional()
        .meta({ description: 'The name of the buyer', example: 'Ada Lovelace' }),
    }),
    response: { 200: Order },
  },
});
