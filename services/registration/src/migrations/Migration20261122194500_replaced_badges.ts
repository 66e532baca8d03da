import { Migration } from '@mikro-orm/migrations';

export class Migration20261122194500_replaced_badges extends Migration {
  override name = 'Migration20261122194500_replaced_badges';

  override up(): void | Promise<void> {
    this.addSql(
      `create table "registration"."replaced_badge" ("checkin_code" text not null, "business_unit_id" text not null, "event_id" text not null, "registration_id" text not null, "replaced_at" timestamptz(3) not null, primary key ("checkin_code"));`,
    );
    this.addSql(
      `create index "replaced_badge_of_registration" on "registration"."replaced_badge" ("registration_id");`,
    );
  }

  override down(): void | Promise<void> {
    this.addSql(`drop table if exists "registration"."replaced_badge" cascade;`);
  }
}
