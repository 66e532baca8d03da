import { ormOptions } from '@event-api/platform/db/migrations';
import { IdempotencyKey } from '@event-api/platform/idempotency/idempotency-key.entity';
import {
  DeadLetter,
  ProjectionCheckpoint,
} from '@event-api/platform/projections/projection.entity';
import {
  AddonProjection,
  BundleProjection,
  EventProjection,
  TicketTypeProjection,
} from './copies/copies.entity.ts';
import { CustomerOrder, OrderLine } from './orders/order.entity.ts';
import { Payment } from './payments/payment.entity.ts';
import { Refund } from './refunds/refund.entity.ts';
import { Settlement } from './settlements/settlement.entity.ts';

/** Commerce's tables and where its migrations lie. */
export const commerceOrm = (url: string) =>
  ormOptions({
    url,
    schema: 'commerce',
    entities: [
      CustomerOrder,
      OrderLine,
      Payment,
      Settlement,
      Refund,
      EventProjection,
      TicketTypeProjection,
      AddonProjection,
      BundleProjection,
      ProjectionCheckpoint,
      DeadLetter,
      IdempotencyKey,
    ],
    migrations: new URL('./migrations', import.meta.url),
  });
