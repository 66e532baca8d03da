import { Migration } from '@mikro-orm/migrations';

const now = '((EXTRACT(epoch FROM clock_timestamp()) * (1000000)::numeric))::bigint';

export class Migration20261122050000_list_filters extends Migration {
  override name = 'Migration20261122050000_list_filters';

  override up(): void | Promise<void> {
    // Existing rows keep 1: with the volatile default in the same step PostgreSQL would rewrite the table.
    this.addSql(`alter table "registration"."attendee" add "version" bigint not null default '1';`);
    this.addSql(`alter table "registration"."attendee" alter column "version" set default ${now};`);
    this.addSql(
      `alter table "registration"."redemption_code" alter column "version" set default ${now};`,
    );
    this.addSql(
      `create index "attendee_changes" on "registration"."attendee" ("business_unit_id", "event_id", "version", "id");`,
    );
    this.addSql(
      `create index "redemption_code_by_status" on "registration"."redemption_code" ("business_unit_id", "event_id", "status", "place");`,
    );
    this.addSql(
      `create index "redemption_code_changes" on "registration"."redemption_code" ("business_unit_id", "event_id", "version", "id");`,
    );
    this.addSql(
      `create index registration_of_type on registration.registration (ticket_type_id collate "C", place);`,
    );
    this.addSql(
      `create index registration_of_code on registration.registration (redemption_code_id, place) where redemption_code_id is not null;`,
    );
    this.addSql(
      `create index "registration_changes" on "registration"."registration" ("business_unit_id", "event_id", "version", "id");`,
    );
  }

  override down(): void | Promise<void> {
    this.addSql(`drop index "registration"."registration_changes";`);
    this.addSql(`drop index "registration"."registration_of_code";`);
    this.addSql(`drop index "registration"."registration_of_type";`);
    this.addSql(`drop index "registration"."redemption_code_changes";`);
    this.addSql(`drop index "registration"."redemption_code_by_status";`);
    this.addSql(`drop index "registration"."attendee_changes";`);
    this.addSql(
      `alter table "registration"."redemption_code" alter column "version" set default '1';`,
    );
    this.addSql(`alter table "registration"."attendee" drop column "version";`);
  }
}
