import { Migration } from '@mikro-orm/migrations';

export class Migration20261120233048_initial extends Migration {
  override name = 'Migration20261120233048_initial';

  override up(): void | Promise<void> {
    this.addSql(`create schema if not exists "catalog";`);
    this.addSql(
      `create table "catalog"."event" ("id" text not null, "business_unit_id" text not null, "public_id" text not null, "name" text not null, "status" text not null default 'draft', "starts_at" timestamptz(3) null, "ends_at" timestamptz(3) null, "timezone" text not null, "currency" char(3) not null, "currency_locked" boolean not null default false, "features" text[] not null default '{}', "published_at" timestamptz(3) null, "created_at" timestamptz(3) not null default clock_timestamp(), primary key ("id"));`,
    );
    this.addSql(
      `alter table "catalog"."event" add constraint "event_public_id_unique" unique ("public_id");`,
    );
    this.addSql(
      `create index "event_newest_first" on "catalog"."event" ("business_unit_id", "created_at", "id");`,
    );

    this.addSql(
      `create table "catalog"."ticket_type" ("id" text not null, "business_unit_id" text not null, "event_id" text not null, "name" text not null, "description" text null, "capacity" int null, "allow_waitlist" boolean not null, "is_public" boolean not null, "requires_approval" boolean not null, "status" text not null default 'draft', "opens_at" timestamptz(3) null, "closes_at" timestamptz(3) null, "price_amount" int not null, "sort_order" int not null, "created_at" timestamptz(3) not null default clock_timestamp(), primary key ("id"));`,
    );
    this.addSql(
      `create index "ticket_type_in_order" on "catalog"."ticket_type" ("business_unit_id", "event_id", "sort_order", "created_at", "id");`,
    );

    this.addSql(
      `alter table "catalog"."event" add constraint "event_status_check" check ("status" in ('draft', 'published', 'archived'));`,
    );

    this.addSql(
      `alter table "catalog"."ticket_type" add constraint "ticket_type_capacity_check" check (capacity > 0);`,
    );
    this.addSql(
      `alter table "catalog"."ticket_type" add constraint "ticket_type_price_amount_check" check (price_amount >= 0);`,
    );
    this.addSql(
      `alter table "catalog"."ticket_type" add constraint "ticket_type_status_check" check ("status" in ('draft', 'open', 'closed', 'archived'));`,
    );
  }

  override down(): void | Promise<void> {
    this.addSql(`drop table if exists "catalog"."event" cascade;`);
    this.addSql(`drop table if exists "catalog"."ticket_type" cascade;`);

    this.addSql(`drop schema if exists "catalog";`);
  }
}
