import { Migration } from '@mikro-orm/migrations';

export class Migration20261124183000_credentials extends Migration {
  override name = 'Migration20261124183000_credentials';

  override up(): void | Promise<void> {
    this.addSql(
      `alter table "gateway"."api_key" add column "kind" text null, add column "groups" text[] null, add column "event_ids" text[] null, add column "doors" text[] null, add column "device_id" text null, add column "installation_id" text null, add column "show_names" boolean null;`,
    );
  }

  override down(): void | Promise<void> {
    this.addSql(
      `alter table "gateway"."api_key" drop column "kind", drop column "groups", drop column "event_ids", drop column "doors", drop column "device_id", drop column "installation_id", drop column "show_names";`,
    );
  }
}
