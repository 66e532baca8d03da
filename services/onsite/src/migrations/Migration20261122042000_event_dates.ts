import { Migration } from '@mikro-orm/migrations';

export class Migration20261122042000_event_dates extends Migration {
  override name = 'Migration20261122042000_event_dates';

  override up(): void | Promise<void> {
    this.addSql(
      `alter table "onsite"."event_projection" add "starts_at" timestamptz(3) null, add "ends_at" timestamptz(3) null;`,
    );
  }

  override down(): void | Promise<void> {
    this.addSql(
      `alter table "onsite"."event_projection" drop column "starts_at", drop column "ends_at";`,
    );
  }
}
