import { AuditEntry } from '@event-api/platform/audit/audit-entry.entity';
import { ormOptions } from '@event-api/platform/db/migrations';
import { IdempotencyKey } from '@event-api/platform/http/idempotency/idempotency-key.entity';
import { Invitation } from './invitations/invitation.entity.ts';
import { Member } from './members/member.entity.ts';
import { Identity, Operator } from './operators/operator.entity.ts';
import { Passkey, PasskeyChallenge } from './passkeys/passkey.entity.ts';
import { Session } from './sessions/session.entity.ts';
import { StoredUnit } from './units/unit.entity.ts';

/** The tables of the console and the folder of their migrations. */
export const consoleOrm = (url: string) =>
  ormOptions({
    url,
    schema: 'console',
    entities: [
      Operator,
      Identity,
      Session,
      Member,
      Invitation,
      Passkey,
      PasskeyChallenge,
      StoredUnit,
      IdempotencyKey,
      AuditEntry,
    ],
    migrations: new URL('./migrations', import.meta.url),
  });
