import { Migration } from '@mikro-orm/migrations';

export class Migration20261126180000_checkins_by_time extends Migration {
  override name = 'Migration20261126180000_checkins_by_time';

  override up(): void | Promise<void> {
    this.addSql(
      `create index if not exists checkin_by_time on onsite.checkin (event_id, checked_in_at);`,
    );
  }

  override down(): void | Promise<void> {
    this.addSql(`drop index if exists onsite.checkin_by_time;`);
  }
}
