import { columnsOf, type RowOf } from '@event-api/platform/db/columns';
import { statement } from '@event-api/platform/db/statement';
import { canonicalJson } from '@event-api/platform/http/canonical-json';
import { Registration, RegistrationOrder } from '../registrations/registration.entity.ts';
import { SeatReservation } from '../reservations/reservation.entity.ts';
import { maxPromotions } from '../seats/promotion/promotion.rules.ts';
import type { Details, RegistrationState } from '../seats/seats.rules.ts';

/** The order of the waitlist: the order of creation, or behind all others after a missed offer. */
const waitlistOrderSql = 'coalesce(r.waitlist_order, r.insertion_order)';

const columns = columnsOf(Registration, 'r', {
  only: [
    'id',
    'businessUnitId',
    'eventId',
    'normalEmail',
    'status',
    'ticketTypeId',
    'redemptionCodeId',
    'orderId',
    'offerId',
    'offersMissed',
  ],
});
const registrationColumns = `${columns.sql}, ${waitlistOrderSql} as "waitlistOrder"`;

export type RegistrationRow = RowOf<typeof columns> &
  Pick<RegistrationState, 'waitlistOrder' | 'buyerEmail'>;

// Each part reads its few rows by one index; business unit and event are checked afterwards. With
// these conditions in each part, a plan cached while the table was small could read the whole event
// by the index of its list.
export const referencedRegistrations = statement<RegistrationRow>(
  'admission_registrations',
  `with found as materialized (
     select ${registrationColumns} from registration.registration r
     where r.event_id = $1 and r.active_email = any($3)
     union
     select ${registrationColumns} from registration.registration r
     where r.id = any($4)
     union
     select ${registrationColumns} from registration.registration r
     where r.order_id = any($5)
   )
   select f.*, coalesce(c.buyer_email, f."normalEmail") as "buyerEmail"
   from found f left join registration.seat_reservation c on c.id = f."orderId"
   where f."eventId" = $1 and f."businessUnitId" = $2`,
);

// Registrations without an offer, in the order of the waitlist, and no more of each type than one
// batch promotes. Served by `registration_waitlist`. Read only for types with an available seat or
// one that the batch may release.
export const waitlistedRegistrations = statement<RegistrationRow>(
  'admission_waitlist',
  `select w.*, null as "buyerEmail" from unnest($1::text[]) t(id) cross join lateral (
     select ${registrationColumns} from registration.registration r
     where r.ticket_type_id = t.id and r.status = 'waitlisted' and r.offer_id is null
     order by ${waitlistOrderSql} limit ${maxPromotions}
   ) w`,
);

const listed = columnsOf(RegistrationOrder, 'l', { only: ['registrationId', 'orderId'] });
const buyer = columnsOf(SeatReservation, 'c', { only: ['buyerEmail'] });
export type OtherOrderRow = RowOf<typeof listed> & RowOf<typeof buyer>;

export const otherOrdersOf = statement<OtherOrderRow>(
  'admission_other_orders',
  `select ${listed.sql}, ${buyer.sql}
   from registration.registration r join registration.registration_order l on l.registration_id = r.id
   left join registration.seat_reservation c on c.id = l.order_id
   where r.order_id = any($3) and (r.event_id = $1) is true and (r.business_unit_id = $2) is true`,
);

const detailColumns = columnsOf(Registration, 'r', {
  only: ['id', 'email', 'name', 'ticketTypeId', 'responses'],
});
type DetailRow = RowOf<typeof detailColumns>;

export const comparedDetails = statement<DetailRow>(
  'admission_details',
  `select ${detailColumns.sql} from registration.registration r
   where r.id = any($3) and (r.event_id = $1) is true and (r.business_unit_id = $2) is true`,
);

/** The fields of a registration in the form in which conditional changes compare them. */
export const detailsOf = ({
  email,
  name,
  ticketTypeId,
  responses,
}: Omit<DetailRow, 'id'>): Details => ({
  email: canonicalJson(email),
  name: canonicalJson(name),
  registrationTypeId: canonicalJson(ticketTypeId),
  responses: canonicalJson(responses),
});
