import { Migration } from '@mikro-orm/migrations';

export class Migration20261129123000_open_days extends Migration {
  override name = 'Migration20261129123000_open_days';

  override up(): void | Promise<void> {
    this.addSql(
      `create or replace function "commerce"."journal_entry_open_day_fn"() returns trigger as $$ begin new.posted_at := greatest(new.posted_at, (select (max(d.day)::date + 1)::timestamp at time zone 'UTC' from commerce.journal_day d)); return new; end; $$ language plpgsql;`,
    );
    this.addSql(
      `create trigger "open_day" BEFORE INSERT on "commerce"."journal_entry" for each ROW execute function "commerce"."journal_entry_open_day_fn"();`,
    );
  }
}
