import { Migration } from '@mikro-orm/migrations';

export class Migration20261124020000_changes extends Migration {
  override name = 'Migration20261124020000_changes';

  override up(): void | Promise<void> {
    this.addSql(
      `create table "registration"."change_inbox" ("position" bigserial primary key, "business_unit_id" text not null, "occurred_at" timestamptz(3) not null default clock_timestamp(), "body" text not null);`,
    );
    this.addSql(
      `create table "registration"."change_log" ("number" bigint not null, "business_unit_id" text not null, "occurred_at" timestamptz(3) not null, "body" text not null, primary key ("number"));`,
    );
    this.addSql(
      `create table "registration"."change_counter" ("name" text not null, "last" bigint not null, "confirmed" bigint not null, primary key ("name"));`,
    );
    this.addSql(`insert into "registration"."change_counter" values ('changes', 0, 0);`);
  }

  override down(): void | Promise<void> {
    this.addSql(`drop table if exists "registration"."change_inbox" cascade;`);
    this.addSql(`drop table if exists "registration"."change_log" cascade;`);
    this.addSql(`drop table if exists "registration"."change_counter" cascade;`);
  }
}
