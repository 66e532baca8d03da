import { Migration } from '@mikro-orm/migrations';

export class Migration20261121035103_commerce extends Migration {
  override name = 'Migration20261121035103_commerce';

  override up(): void | Promise<void> {
    this.addSql(
      `create table "catalog"."refund_policy" ("event_id" text not null, "business_unit_id" text not null, "text" text not null, "refundable_until" timestamptz(3) null, primary key ("event_id"));`,
    );

    this.addSql(
      `create table "catalog"."registration_form" ("event_id" text not null, "business_unit_id" text not null, "questions" jsonb not null, primary key ("event_id"));`,
    );

    this.addSql(`alter table "catalog"."bundle" add "version" bigint not null default '1';`);

    this.addSql(`alter table "catalog"."event" add "agenda_version" int not null default 0;`);
    this.addSql(
      `alter table "catalog"."event" add constraint "event_agenda_version_check" check (agenda_version >= 0);`,
    );
  }

  override down(): void | Promise<void> {
    this.addSql(`drop table if exists "catalog"."refund_policy" cascade;`);
    this.addSql(`drop table if exists "catalog"."registration_form" cascade;`);

    this.addSql(`alter table "catalog"."bundle" drop column "version";`);

    this.addSql(`alter table "catalog"."event" drop constraint "event_agenda_version_check";`);
    this.addSql(`alter table "catalog"."event" drop column "agenda_version";`);
  }
}
