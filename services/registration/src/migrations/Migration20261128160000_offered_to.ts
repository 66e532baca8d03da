import { Migration } from '@mikro-orm/migrations';

export class Migration20261128160000_offered_to extends Migration {
  override name = 'Migration20261128160000_offered_to';

  override up(): void | Promise<void> {
    this.addSql(
      `alter table "registration"."seat_reservation" add column "offered_to" text[] not null default '{}';`,
    );
  }
}
