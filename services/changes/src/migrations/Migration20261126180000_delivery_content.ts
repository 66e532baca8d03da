import { Migration } from '@mikro-orm/migrations';

export class Migration20261126180000_delivery_content extends Migration {
  override name = 'Migration20261126180000_delivery_content';

  override up(): void | Promise<void> {
    this.addSql(
      `alter table "changes"."webhook_attempt" add column "url" text null, add column "cursor" text null, add column "response_content_type" text null, add column "response_body" text null;`,
    );
  }

  override down(): void | Promise<void> {
    this.addSql(
      `alter table "changes"."webhook_attempt" drop column "url", drop column "cursor", drop column "response_content_type", drop column "response_body";`,
    );
  }
}
