import { Migration } from '@mikro-orm/migrations';

export class Migration20261126200000_badge_prefixes extends Migration {
  override name = 'Migration20261126200000_badge_prefixes';

  override up(): void | Promise<void> {
    this.addSql(
      `create index if not exists registration_of_badge on registration.registration ((event_id || ' '), checkin_code text_pattern_ops);`,
    );
  }

  override down(): void | Promise<void> {
    this.addSql(`drop index if exists registration.registration_of_badge;`);
  }
}
