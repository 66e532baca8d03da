import { Migration } from '@mikro-orm/migrations';

export class Migration20261122191500_names_at_doors extends Migration {
  override name = 'Migration20261122191500_names_at_doors';

  override up(): void | Promise<void> {
    this.addSql(`alter table "onsite"."perk_projection" add column "name" text null;`);
    this.addSql(`alter table "onsite"."registration_projection" add column "name" text null;`);
  }
}
