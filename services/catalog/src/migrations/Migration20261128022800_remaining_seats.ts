import { Migration } from '@mikro-orm/migrations';

export class Migration20261128022800_remaining_seats extends Migration {
  override name = 'Migration20261128022800_remaining_seats';

  override up(): void | Promise<void> {
    this.addSql(
      `alter table "catalog"."seat_count" add "offered" int null, add "reserved" int null;`,
    );
  }
}
