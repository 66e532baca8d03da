import { Migration } from '@mikro-orm/migrations';

export class Migration20261128100000_doors extends Migration {
  override name = 'Migration20261128100000_doors';

  override up(): void | Promise<void> {
    this.addSql(
      `create table "onsite"."door_rule" ("event_id" text not null, "business_unit_id" text not null, "refuse_if_former_inside" boolean not null, primary key ("event_id"));`,
    );
    this.addSql(`alter table "onsite"."checkin" add column "code_hash" text null;`);
    this.addSql(
      `create index if not exists "checkin_changes" on "onsite"."checkin" ("business_unit_id", "event_id", "version", "id");`,
    );
    this.addSql(
      `alter table "onsite"."event_projection" add column "status" text null, add column "timezone" text null, add column "admission_opens_at" timestamptz(3) null, add column "admission_closes_at" timestamptz(3) null;`,
    );
    this.addSql(
      `alter table "onsite"."ticket_type_projection" add column "admission_opens_at" timestamptz(3) null, add column "admission_closes_at" timestamptz(3) null;`,
    );
    this.addSql(
      `create index if not exists "ticket_type_projection_of_event" on "onsite"."ticket_type_projection" ("event_id");`,
    );
    this.addSql(`drop index "onsite"."ticket_type_projection_with_perks";`);
  }
}
