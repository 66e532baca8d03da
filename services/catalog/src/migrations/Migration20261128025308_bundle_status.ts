import { Migration } from '@mikro-orm/migrations';

export class Migration20261128025308_bundle_status extends Migration {
  override name = 'Migration20261128025308_bundle_status';

  override up(): void | Promise<void> {
    this.addSql(`alter table "catalog"."bundle" add "status" text not null default 'open';`);
    this.addSql(
      `alter table "catalog"."bundle" add constraint "bundle_status_check" check ("status" in ('draft', 'open', 'closed', 'archived'));`,
    );
  }
}
