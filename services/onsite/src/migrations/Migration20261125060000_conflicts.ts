import { Migration } from '@mikro-orm/migrations';

export class Migration20261125060000_conflicts extends Migration {
  override name = 'Migration20261125060000_conflicts';

  override up(): void | Promise<void> {
    this.addSql(
      `create index scan_conflict on onsite.scan (event_id, created_at, scan_id) where result ->> 'result' in ('contested', 'overruled');`,
    );
    this.addSql(
      `create index checkin_undone on onsite.checkin (event_id, undone_at, id) where undone_at is not null;`,
    );
  }

  override down(): void | Promise<void> {
    this.addSql(`drop index "onsite"."scan_conflict";`);
    this.addSql(`drop index "onsite"."checkin_undone";`);
  }
}
