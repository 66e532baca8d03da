import { AuditEntry } from '@event-api/platform/audit/audit-entry.entity';
import { ormOptions } from '@event-api/platform/db/migrations';
import { IdempotencyKey } from '@event-api/platform/http/idempotency/idempotency-key.entity';
import { ApiKey } from './api-keys/api-key.entity.ts';
import { BusinessUnit } from './business-units/business-unit.entity.ts';

/** The gateway's tables and where their migrations lie. */
export const gatewayOrm = (url: string) =>
  ormOptions({
    url,
    schema: 'gateway',
    entities: [BusinessUnit, ApiKey, IdempotencyKey, AuditEntry],
    migrations: new URL('./migrations', import.meta.url),
  });
