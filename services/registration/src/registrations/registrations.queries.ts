import type { RegistrationStatus } from '@event-api/contracts/http/registrations';
import type { EventScope } from '@event-api/contracts/internal/scope';
import { registrationSnapshot } from '@event-api/contracts/messages/registration';
import { columnsOf, type RowOf } from '@event-api/platform/db/columns';
import type { Db } from '@event-api/platform/db/database';
import { recordReader } from '@event-api/platform/db/record';
import { statement } from '@event-api/platform/db/statement';
import { defineSnapshotSource } from '@event-api/platform/messaging/projections/snapshot-source';
import { Registration } from './registration.entity.ts';

/** The columns of a registration that the API returns, and its version. */
const columns = columnsOf(Registration, 'r', {
  omit: [
    'businessUnitId',
    'normalEmail',
    'activeEmail',
    'offerId',
    'insertionOrder',
    'waitlistOrder',
    'seatId',
    'endedWithEvent',
  ],
});
export const registrationColumns = columns.sql;
export type RegistrationRow = RowOf<typeof columns>;

export interface RegistrationFilters {
  email?: string | undefined;
  code?: string | undefined;
  type?: string | undefined;
  status?: RegistrationStatus | undefined;
  /** When the people registered: at `from` or later, and before `before`. */
  from?: Date | undefined;
  before?: Date | undefined;
}

/** The conditions of the filters that lists and searches share. The alias of the rows is `r`. */
export const filterConditions = {
  typeWithStatus: (type: string) => `r.ticket_type_id = ${type}`,
  status: (status: string) => `r.status = ${status}`,
  from: (instant: string) => `r.registered_at >= ${instant}::timestamptz`,
  before: (instant: string) => `r.registered_at < ${instant}::timestamptz`,
  /** The value is JSON: a question and its answer. */
  answer: (json: string) =>
    `r.responses -> (${json}::jsonb ->> 'question') = ${json}::jsonb -> 'value'`,
  anyAnswer: (question: string) => `coalesce(btrim(r.responses ->> ${question}), '') <> ''`,
  noAnswer: (question: string) => `coalesce(btrim(r.responses ->> ${question}), '') = ''`,
};

/** Reads one registration. */
export const { read: readRegistration, find: findRegistration } = recordReader<RegistrationRow>({
  name: 'registration_by_id',
  select: `select ${registrationColumns} from registration.registration r`,
  alias: 'r',
  kind: 'registration',
});

const type = columnsOf(Registration, 'r', { only: ['ticketTypeId'] });

const typeOf = statement<RowOf<typeof type>>(
  'ticket_type_of_registration',
  `select ${type.sql} from registration.registration r
   where (r.business_unit_id = $1) is true and (r.event_id = $2) is true and r.id = $3`,
);

/** The ticket type of a registration, or null. */
export async function typeOfRegistration(
  db: Db,
  { businessUnitId, eventId }: EventScope,
  registrationId: string,
): Promise<string | null> {
  const [row] = await db.query(typeOf, [businessUnitId, eventId, registrationId]);
  return row?.ticketTypeId ?? null;
}

/** The snapshots of a registration for other services. */
export const registrationSource = defineSnapshotSource({
  type: registrationSnapshot,
  entity: Registration,
  computed: {
    replacedCheckinCodes: `coalesce((select jsonb_agg(b.checkin_code order by b.replaced_at, b.checkin_code)
      from registration.replaced_badge b where b.registration_id = t.id), '[]')`,
    addonIds: `coalesce((select jsonb_agg(distinct a.addon_id) from registration.registration_addon a
      where a.registration_id = t.id), '[]')`,
    grantedPerkIds: `coalesce((select jsonb_agg(g.perk_id order by g.perk_id) from registration.perk_grant g
      where g.registration_id = t.id), '[]')`,
  },
});
