import { Migration } from '@mikro-orm/migrations';

export class Migration20261128025316_bundle_status extends Migration {
  override name = 'Migration20261128025316_bundle_status';

  override up(): void | Promise<void> {
    this.addSql(
      `alter table "commerce"."bundle_projection" add "status" text not null default 'open';`,
    );
  }
}
