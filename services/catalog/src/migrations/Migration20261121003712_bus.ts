import { Migration } from '@mikro-orm/migrations';

export class Migration20261121003712_bus extends Migration {
  override name = 'Migration20261121003712_bus';

  override up(): void | Promise<void> {
    this.addSql(
      `create table "catalog"."dead_letter" ("stream_created_at" text not null, "seq" bigint not null, "index" int not null, "body" text not null, "error" text not null, "created_at" timestamptz(3) not null default clock_timestamp(), primary key ("stream_created_at", "seq", "index"));`,
    );

    this.addSql(
      `create table "catalog"."outbox_message" ("id" uuid not null, "payload" text not null, "created_at" timestamptz(6) not null default clock_timestamp(), "stream_seq" bigint null, "rejection_reason" text null, primary key ("id"));`,
    );
    this.addSql(
      `create index "outbox_message_by_state" on "catalog"."outbox_message" ("stream_seq", "created_at");`,
    );
    this.addSql(
      `create index "outbox_message_by_age" on "catalog"."outbox_message" ("created_at");`,
    );

    this.addSql(
      `create table "catalog"."projection_checkpoint" ("name" text not null, "seq" bigint not null, "stream_created_at" text not null, "last_message_hash" text not null, "schema_fingerprint" text not null, primary key ("name"));`,
    );

    this.addSql(
      `create table "catalog"."seat_count" ("id" text not null, "business_unit_id" text not null, "event_id" text not null, "version" bigint not null, "confirmed" int not null, "waitlisted" int not null, primary key ("id"));`,
    );

    this.addSql(`alter table "catalog"."addon" add "version" bigint not null default '1';`);

    this.addSql(`alter table "catalog"."event" add "version" bigint not null default '1';`);

    this.addSql(`alter table "catalog"."perk" add "version" bigint not null default '1';`);

    this.addSql(`alter table "catalog"."ticket_type" add "version" bigint not null default '1';`);
  }

  override down(): void | Promise<void> {
    this.addSql(`drop table if exists "catalog"."dead_letter" cascade;`);
    this.addSql(`drop table if exists "catalog"."outbox_message" cascade;`);
    this.addSql(`drop table if exists "catalog"."projection_checkpoint" cascade;`);
    this.addSql(`drop table if exists "catalog"."seat_count" cascade;`);

    this.addSql(`alter table "catalog"."addon" drop column "version";`);

    this.addSql(`alter table "catalog"."event" drop column "version";`);

    this.addSql(`alter table "catalog"."perk" drop column "version";`);

    this.addSql(`alter table "catalog"."ticket_type" drop column "version";`);
  }
}
