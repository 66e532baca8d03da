import { Migration } from '@mikro-orm/migrations';

export class Migration20261120235037_sellables extends Migration {
  override name = 'Migration20261120235037_sellables';

  override up(): void | Promise<void> {
    this.addSql(
      `create table "catalog"."addon" ("id" text not null, "business_unit_id" text not null, "event_id" text not null, "name" text not null, "description" text null, "status" text not null default 'draft', "price_amount" int not null, "sort_order" int not null, "created_at" timestamptz(3) not null default clock_timestamp(), primary key ("id"));`,
    );
    this.addSql(
      `create index "addon_in_order" on "catalog"."addon" ("business_unit_id", "event_id", "sort_order", "created_at", "id");`,
    );

    this.addSql(
      `create table "catalog"."bundle" ("id" text not null, "business_unit_id" text not null, "event_id" text not null, "name" text not null, "description" text null, "price_amount" int null, "sort_order" int not null, "created_at" timestamptz(3) not null default clock_timestamp(), primary key ("id"));`,
    );
    this.addSql(
      `create index "bundle_in_order" on "catalog"."bundle" ("business_unit_id", "event_id", "sort_order", "created_at", "id");`,
    );

    this.addSql(
      `create table "catalog"."bundle_item" ("bundle_id" text not null, "position" int not null, "business_unit_id" text not null, "item_type" text not null, "item_id" text not null, "quantity" int not null, primary key ("bundle_id", "position"));`,
    );
    this.addSql(
      `alter table "catalog"."bundle_item" add constraint "bundle_item_once" unique ("bundle_id", "item_type", "item_id");`,
    );

    this.addSql(
      `create table "catalog"."perk" ("id" text not null, "business_unit_id" text not null, "event_id" text not null, "name" text not null, "description" text null, "created_at" timestamptz(3) not null default clock_timestamp(), primary key ("id"));`,
    );
    this.addSql(
      `create index "perk_of_event" on "catalog"."perk" ("business_unit_id", "event_id", "created_at", "id");`,
    );

    this.addSql(
      `create table "catalog"."perk_binding" ("perk_id" text not null, "target_type" text not null, "target_id" text not null, "business_unit_id" text not null, "event_id" text not null, primary key ("perk_id", "target_type", "target_id"));`,
    );
    this.addSql(
      `create index "perk_binding_of_target" on "catalog"."perk_binding" ("business_unit_id", "event_id", "target_id");`,
    );

    this.addSql(
      `alter table "catalog"."addon" add constraint "addon_price_amount_check" check (price_amount >= 0);`,
    );
    this.addSql(
      `alter table "catalog"."addon" add constraint "addon_status_check" check ("status" in ('draft', 'open', 'closed', 'archived'));`,
    );

    this.addSql(
      `alter table "catalog"."bundle" add constraint "bundle_price_amount_check" check (price_amount >= 0);`,
    );

    this.addSql(
      `alter table "catalog"."bundle_item" add constraint "bundle_item_quantity_check" check ((quantity >= 1) AND (quantity <= 100));`,
    );
    this.addSql(
      `alter table "catalog"."bundle_item" add constraint "bundle_item_item_type_check" check ("item_type" in ('registration_type', 'addon'));`,
    );

    this.addSql(
      `alter table "catalog"."perk_binding" add constraint "perk_binding_target_type_check" check ("target_type" in ('registration_type', 'addon'));`,
    );
  }

  override down(): void | Promise<void> {
    this.addSql(`drop table if exists "catalog"."addon" cascade;`);
    this.addSql(`drop table if exists "catalog"."bundle" cascade;`);
    this.addSql(`drop table if exists "catalog"."bundle_item" cascade;`);
    this.addSql(`drop table if exists "catalog"."perk" cascade;`);
    this.addSql(`drop table if exists "catalog"."perk_binding" cascade;`);
  }
}
