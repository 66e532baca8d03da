import { Migration } from '@mikro-orm/migrations';

export class Migration20261129110000_tax_rates extends Migration {
  override name = 'Migration20261129110000_tax_rates';

  override up(): void | Promise<void> {
    this.addSql(
      `create table "catalog"."tax_rate" ("id" text not null, "business_unit_id" text not null, "name" text not null, "percentage" int not null, "mode" text not null, "archived_at" timestamptz(3) null, "created_at" timestamptz(3) not null default clock_timestamp(), primary key ("id"));`,
    );
    this.addSql(
      `create index "tax_rate_of_unit" on "catalog"."tax_rate" ("business_unit_id", "created_at", "id");`,
    );
    this.addSql(
      `alter table "catalog"."tax_rate" add constraint "tax_rate_percentage_check" check ((percentage >= 0) AND (percentage <= 10000));`,
    );
    this.addSql(
      `alter table "catalog"."tax_rate" add constraint "tax_rate_mode_check" check ("mode" in ('inclusive', 'exclusive'));`,
    );
    for (const table of ['ticket_type', 'addon', 'bundle']) {
      this.addSql(`alter table "catalog"."${table}" add column "tax_rate_id" text null;`);
    }
    this.addSql(
      `alter table "catalog"."event" add column "attendance_mode" text not null default 'in_person', add column "country" text null;`,
    );
    this.addSql(
      `alter table "catalog"."event" add constraint "event_attendance_mode_check" check ("attendance_mode" in ('in_person', 'online'));`,
    );
  }
}
