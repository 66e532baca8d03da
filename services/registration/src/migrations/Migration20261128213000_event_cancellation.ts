import { Migration } from '@mikro-orm/migrations';

export class Migration20261128213000_event_cancellation extends Migration {
  override name = 'Migration20261128213000_event_cancellation';

  override up(): void | Promise<void> {
    this.addSql(
      `alter table "registration"."event_projection" add column "cancelled_at" timestamptz(3) null;`,
    );
    this.addSql(
      `alter table "registration"."event_lock" add column "cancelled_at" timestamptz(3) null;`,
    );
  }
}
