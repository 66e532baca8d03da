import { Migration } from '@mikro-orm/migrations';

export class Migration20261125020000_undone_checkins extends Migration {
  override name = 'Migration20261125020000_undone_checkins';

  override up(): void | Promise<void> {
    this.addSql(
      `alter table "onsite"."checkin" add column "scanned_at" timestamptz(3) null, add column "device_id" text null, add column "overruled" boolean not null default false, add column "undone_at" timestamptz(3) null, add column "undone_by" jsonb null, add column "undo_reason" text null, add column "version" bigint not null default '1';`,
    );
    // The previous release inserts with `on conflict do nothing` and names no constraint, so the
    // index serves it, too.
    this.addSql(`alter table "onsite"."checkin" drop constraint "checkin_once";`);
    this.addSql(
      `create unique index checkin_once on onsite.checkin (registration_id, subject_type, subject_id) where undone_at is null;`,
    );
  }

  override down(): void | Promise<void> {
    this.addSql(`drop index "onsite"."checkin_once";`);
    this.addSql(
      `alter table "onsite"."checkin" add constraint "checkin_once" unique ("registration_id", "subject_type", "subject_id");`,
    );
    this.addSql(
      `alter table "onsite"."checkin" drop column "scanned_at", drop column "device_id", drop column "overruled", drop column "undone_at", drop column "undone_by", drop column "undo_reason", drop column "version";`,
    );
  }
}
