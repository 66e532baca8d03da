import { Migration } from '@mikro-orm/migrations';

export class Migration20261126190000_registered_at extends Migration {
  override name = 'Migration20261126190000_registered_at';

  override up(): void | Promise<void> {
    this.addSql(
      `create index if not exists registration_by_time on registration.registration (business_unit_id, event_id, registered_at, id, status collate "C");`,
    );
  }

  override down(): void | Promise<void> {
    this.addSql(`drop index if exists registration.registration_by_time;`);
  }
}
