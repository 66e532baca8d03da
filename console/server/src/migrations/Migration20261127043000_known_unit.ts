import { Migration } from '@mikro-orm/migrations';

export class Migration20261127043000_known_unit extends Migration {
  override name = 'Migration20261127043000_known_unit';

  override up(): void | Promise<void> {
    this.addSql(
      `create table "console"."known_unit" ("business_unit_id" text not null, "name" text not null, "default_currency" text not null, primary key ("business_unit_id"));`,
    );
  }

  override down(): void | Promise<void> {
    this.addSql(`drop table if exists "console"."known_unit" cascade;`);
  }
}
