import { Migration } from '@mikro-orm/migrations';

export class Migration20261129010000_ended_with_event extends Migration {
  override name = 'Migration20261129010000_ended_with_event';

  override up(): void | Promise<void> {
    this.addSql(
      `alter table "registration"."registration" add column "ended_with_event" boolean null;`,
    );
  }
}
