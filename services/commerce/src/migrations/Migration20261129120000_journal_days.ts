import { Migration } from '@mikro-orm/migrations';

export class Migration20261129120000_journal_days extends Migration {
  override name = 'Migration20261129120000_journal_days';

  override up(): void | Promise<void> {
    this.addSql(
      `create index "journal_entry_by_time" on "commerce"."journal_entry" ("posted_at");`,
    );
    this.addSql(
      `create table "commerce"."journal_day" ("day" text not null, "closed_at" timestamptz(3) not null, primary key ("day"));`,
    );
    this.addSql(
      `create table "commerce"."journal_digest" ("business_unit_id" text not null, "currency" text not null, "day" text not null, "entries" int not null, "accounts" jsonb not null, "entries_hash" text not null, "previous_hash" text null, "hash" text not null, "signature" text null, "public_key" text null, primary key ("business_unit_id", "currency", "day"));`,
    );
    this.addSql(
      `alter table "commerce"."journal_digest" add constraint "journal_digest_of_unit" unique ("business_unit_id", "day", "currency");`,
    );
    for (const [table, subject] of [
      ['journal_day', 'closed days'],
      ['journal_digest', 'digests of the journal'],
    ]) {
      this.addSql(
        `create or replace function "commerce"."${table}_immutable_fn"() returns trigger as $$ begin raise exception '${subject} are never changed'; end; $$ language plpgsql;`,
      );
      this.addSql(
        `create trigger "immutable" BEFORE UPDATE OR DELETE on "commerce"."${table}" for each ROW execute function "commerce"."${table}_immutable_fn"();`,
      );
    }
  }
}
