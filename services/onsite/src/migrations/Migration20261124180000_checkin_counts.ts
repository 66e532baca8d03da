import { Migration } from '@mikro-orm/migrations';

export class Migration20261124180000_checkin_counts extends Migration {
  override name = 'Migration20261124180000_checkin_counts';

  override up(): void | Promise<void> {
    this.addSql(
      `create table "onsite"."checkin_count" ("event_id" text not null, "subject_type" text not null, "subject_id" text not null, "part" smallint not null, "business_unit_id" text not null, "checked_in" int not null, "last_checkin_at" timestamptz(3) not null, primary key ("event_id", "subject_type", "subject_id", "part"));`,
    );
    this.addSql(
      `alter table "onsite"."checkin_count" add constraint "checkin_count_subject_type_check" check ("subject_type" in ('event', 'session', 'venue'));`,
    );
    // Rows are written in one order, so that two statements cannot deadlock.
    this.addSql(
      `create or replace function onsite.checkin_count_fn() returns trigger as $$ begin
         insert into onsite.checkin_count as k (event_id, subject_type, subject_id, part, business_unit_id, checked_in, last_checkin_at)
         select event_id, subject_type, subject_id, pg_backend_pid() % 16, business_unit_id, count(*), max(checked_in_at) from inserted
         group by event_id, subject_type, subject_id, business_unit_id order by event_id, subject_type, subject_id
         on conflict (event_id, subject_type, subject_id, part) do update
         set checked_in = k.checked_in + excluded.checked_in, last_checkin_at = greatest(k.last_checkin_at, excluded.last_checkin_at);
         return null;
       end; $$ language plpgsql;`,
    );
    // The lock of the trigger keeps new check-ins out until the commit, so that the counts are
    // exact.
    this.addSql(
      `create trigger count after insert on onsite.checkin referencing new table as inserted for each statement execute function onsite.checkin_count_fn();`,
    );
    this.addSql(
      `insert into onsite.checkin_count (event_id, subject_type, subject_id, part, business_unit_id, checked_in, last_checkin_at)
       select event_id, subject_type, subject_id, 0, business_unit_id, count(*), max(checked_in_at) from onsite.checkin
       group by event_id, subject_type, subject_id, business_unit_id;`,
    );
  }

  override down(): void | Promise<void> {
    this.addSql(`drop trigger if exists count on onsite.checkin;`);
    this.addSql(`drop function if exists onsite.checkin_count_fn();`);
    this.addSql(`drop table if exists "onsite"."checkin_count" cascade;`);
  }
}
