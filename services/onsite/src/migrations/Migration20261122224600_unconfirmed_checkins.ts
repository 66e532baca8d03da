import { Migration } from '@mikro-orm/migrations';

export class Migration20261122224600_unconfirmed_checkins extends Migration {
  override name = 'Migration20261122224600_unconfirmed_checkins';

  override up(): void | Promise<void> {
    this.addSql(
      `alter table "onsite"."checkin" add column "is_unconfirmed" boolean not null default false;`,
    );
  }

  override down(): void | Promise<void> {
    this.addSql(`alter table "onsite"."checkin" drop column "is_unconfirmed";`);
  }
}
