import { Migration } from '@mikro-orm/migrations';

export class Migration20261128213000_open_seats extends Migration {
  override name = 'Migration20261128213000_open_seats';

  override up(): void | Promise<void> {
    this.addSql(
      `alter table "registration"."event_projection" add column "ends_at" timestamptz(3) null;`,
    );
    this.addSql(`alter table "registration"."registration" add column "seat_id" text null;`);
    this.addSql(
      `alter table "registration"."seat_reservation" add column "order_id" text null, add column "ticket_type_id" text null;`,
    );
    this.addSql(
      `create index seat_reservation_of_order on registration.seat_reservation (order_id) where order_id is not null;`,
    );
  }
}
