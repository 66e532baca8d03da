import { Migration } from '@mikro-orm/migrations';

export class Migration20261125130000_devices extends Migration {
  override name = 'Migration20261125130000_devices';

  override up(): void | Promise<void> {
    this.addSql(
      `create table "onsite"."device" ("id" text not null, "business_unit_id" text not null, "event_id" text not null, "last_seen_at" timestamptz(3) not null, "unsent_scans" int null, "roster_read_at" timestamptz(3) null, "reported_at" timestamptz(3) null, primary key ("id"));`,
    );
    this.addSql(`create index "device_of_event" on "onsite"."device" ("event_id");`);
    this.addSql(`create index "device_by_age" on "onsite"."device" ("last_seen_at");`);
  }

  override down(): void | Promise<void> {
    this.addSql(`drop table if exists "onsite"."device";`);
  }
}
