import { Migration } from '@mikro-orm/migrations';

export class Migration20261122044000_buyer_limits extends Migration {
  override name = 'Migration20261122044000_buyer_limits';

  override up(): void | Promise<void> {
    this.addSql(
      `alter table "registration"."admission" add "max_holds_per_email" int null, add "max_seats_per_email" int null;`,
    );
    this.addSql(
      `alter table "registration"."seat_claim" add "buyer_email" text null, add "seat_count" int not null default 0;`,
    );
    this.addSql(
      `create index "seat_claim_of_buyer" on "registration"."seat_claim" ("event_id", "buyer_email", "state");`,
    );
  }

  override down(): void | Promise<void> {
    this.addSql(`drop index "registration"."seat_claim_of_buyer";`);
    this.addSql(
      `alter table "registration"."seat_claim" drop column "buyer_email", drop column "seat_count";`,
    );
    this.addSql(
      `alter table "registration"."admission" drop column "max_holds_per_email", drop column "max_seats_per_email";`,
    );
  }
}
