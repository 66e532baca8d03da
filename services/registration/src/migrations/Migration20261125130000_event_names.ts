import { Migration } from '@mikro-orm/migrations';

export class Migration20261125130000_event_names extends Migration {
  override name = 'Migration20261125130000_event_names';

  override up(): void | Promise<void> {
    this.addSql(`alter table "registration"."event_projection" add "name" text null;`);
  }

  override down(): void | Promise<void> {
    this.addSql(`alter table "registration"."event_projection" drop column "name";`);
  }
}
