import { Migration } from '@mikro-orm/migrations';

export class Migration20261123084500_previous_lineage extends Migration {
  override name = 'Migration20261123084500_previous_lineage';

  override up(): void | Promise<void> {
    this.addSql(`alter table "registration"."stream_state" add "previous_lineage" uuid null;`);
  }

  override down(): void | Promise<void> {
    this.addSql(`alter table "registration"."stream_state" drop column "previous_lineage";`);
  }
}
