import { Migration } from '@mikro-orm/migrations';

/** Offers of seats to waitlisted registrations. */
export class Migration20261122191500_waitlist_offers extends Migration {
  override name = 'Migration20261122191500_waitlist_offers';

  override up(): void | Promise<void> {
    this.addSql(
      `alter table "registration"."event_lock" add column "waitlist_offer_minutes" int null;`,
    );
    this.addSql(
      `alter table "registration"."registration" add column "waitlist_order" bigint null, add column "offer_id" text null, add column "offer_expires_at" timestamptz(3) null, add column "offers_missed" int not null default 0;`,
    );
    this.addSql(
      `create index registration_waitlist on registration.registration (ticket_type_id, (coalesce(waitlist_order, insertion_order))) where status = 'waitlisted' and offer_id is null;`,
    );
    this.addSql(
      `alter table "registration"."seat_ledger" add column "offered" int not null default 0;`,
    );
    this.addSql(
      `alter table "registration"."seat_ledger" add constraint "seat_ledger_offered_check" check (offered >= 0 and offered <= waitlisted);`,
    );
    this.addSql(
      `alter table "registration"."seat_reservation" add column "registration_id" text null, add column "taken_by" text null;`,
    );
    this.addSql(
      `alter table "registration"."seat_reservation" drop constraint "seat_reservation_state_check";`,
    );
    this.addSql(
      `alter table "registration"."seat_reservation" add constraint "seat_reservation_state_check" check ("state" in ('active', 'taken', 'fulfilled', 'released', 'expired'));`,
    );
    this.addSql(
      `create index seat_reservation_taken on registration.seat_reservation (taken_by) where state = 'taken';`,
    );
  }

  override down(): void | Promise<void> {
    this.addSql(`drop index "registration"."seat_reservation_taken";`);
    this.addSql(
      `alter table "registration"."seat_reservation" drop constraint "seat_reservation_state_check";`,
    );
    this.addSql(
      `alter table "registration"."seat_reservation" add constraint "seat_reservation_state_check" check ("state" in ('active', 'fulfilled', 'released', 'expired'));`,
    );
    this.addSql(
      `alter table "registration"."seat_reservation" drop column "registration_id", drop column "taken_by";`,
    );
    this.addSql(`alter table "registration"."seat_ledger" drop column "offered";`);
    this.addSql(`drop index "registration"."registration_waitlist";`);
    this.addSql(
      `alter table "registration"."registration" drop column "waitlist_order", drop column "offer_id", drop column "offer_expires_at", drop column "offers_missed";`,
    );
    this.addSql(`alter table "registration"."event_lock" drop column "waitlist_offer_minutes";`);
  }
}
