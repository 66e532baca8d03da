import type { RegistrationStatus } from '@event-api/contracts/http/registrations';
import { statement } from '@event-api/platform/db/statement';
import type { OtherOrder, RegistrationState } from '../seats/seats.rules.ts';

/** The order of the waitlist: the order of creation, or behind all others after a missed offer. */
const waitlistOrderSql = 'coalesce(r.waitlist_order, r.insertion_order)';

const registrationColumns = `r.id, r.normal_email as "normalEmail", r.status,
  r.ticket_type_id as "ticketTypeId", r.redemption_code_id as "redemptionCodeId",
  r.order_id as "orderId", null::text as "buyerEmail", ${waitlistOrderSql} as "waitlistOrder",
  r.offer_id as "offerId", r.offers_missed as "offersMissed"`;

export interface RegistrationRow extends RegistrationState {
  status: RegistrationStatus;
}

// Each part reads its few rows by one index; business unit and event are checked afterwards. With
// these conditions in each part, a plan cached while the table was small could read the whole event
// by the index of its list.
export const referencedRegistrations = statement<RegistrationRow>(
  'admission_registrations',
  `with found as materialized (
     select ${registrationColumns}, r.event_id, r.business_unit_id from registration.registration r
     where r.event_id = $1 and r.active_email = any($3)
     union
     select ${registrationColumns}, r.event_id, r.business_unit_id from registration.registration r
     where r.id = any($4)
     union
     select ${registrationColumns}, r.event_id, r.business_unit_id from registration.registration r
     where r.order_id = any($5)
   )
   select f.id, f."normalEmail", f.status, f."ticketTypeId", f."redemptionCodeId", f."orderId", f."waitlistOrder",
     f."offerId", f."offersMissed", coalesce(c.buyer_email, f."normalEmail") as "buyerEmail"
   from found f left join registration.seat_reservation c on c.id = f."orderId"
   where f.event_id = $1 and f.business_unit_id = $2`,
);

// Registrations without an offer, in the order of the waitlist, and no more of each type than one
// batch promotes. Served by `registration_waitlist`. Read only for types with an available seat or
// one that the batch may release.
export const waitlistedRegistrations = statement<RegistrationRow>(
  'admission_waitlist',
  `select w.* from unnest($1::text[]) t(id) cross join lateral (
     select ${registrationColumns} from registration.registration r
     where r.ticket_type_id = t.id and r.status = 'waitlisted' and r.offer_id is null
     order by ${waitlistOrderSql} limit 256
   ) w`,
);

export interface OtherOrderRow extends OtherOrder {
  registrationId: string;
}

export const otherOrdersOf = statement<OtherOrderRow>(
  'admission_other_orders',
  `select l.registration_id as "registrationId", l.order_id as "orderId", c.buyer_email as "buyerEmail"
   from registration.registration r join registration.registration_order l on l.registration_id = r.id
   left join registration.seat_reservation c on c.id = l.order_id
   where r.order_id = any($3) and (r.event_id = $1) is true and (r.business_unit_id = $2) is true`,
);
