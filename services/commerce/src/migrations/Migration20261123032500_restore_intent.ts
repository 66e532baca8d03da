import { Migration } from '@mikro-orm/migrations';

const constraint = '"customer_order_intent_check"';
const table = '"commerce"."customer_order"';

export class Migration20261123032500_restore_intent extends Migration {
  override name = 'Migration20261123032500_restore_intent';

  override up(): void | Promise<void> {
    this.addSql(`alter table ${table} drop constraint ${constraint};`);
    this.addSql(
      `alter table ${table} add constraint ${constraint} check ("intent" in ('fulfil', 'cancel', 'release', 'restore'));`,
    );
  }

  override down(): void | Promise<void> {
    this.addSql(`alter table ${table} drop constraint ${constraint};`);
    this.addSql(
      `alter table ${table} add constraint ${constraint} check ("intent" in ('fulfil', 'cancel', 'release'));`,
    );
  }
}
