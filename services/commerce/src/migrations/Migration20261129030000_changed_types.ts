import { Migration } from '@mikro-orm/migrations';

export class Migration20261129030000_changed_types extends Migration {
  override name = 'Migration20261129030000_changed_types';

  override up(): void | Promise<void> {
    this.addSql(
      `alter table "commerce"."order_change" drop constraint "order_change_state_check";`,
    );
    this.addSql(
      `alter table "commerce"."order_change" add constraint "order_change_state_check" check ("state" in ('quoted', 'moving', 'executing', 'done'));`,
    );
    this.addSql(
      `create index order_change_moving on commerce.order_change (last_attempt_at) where state = 'moving';`,
    );
  }
}
