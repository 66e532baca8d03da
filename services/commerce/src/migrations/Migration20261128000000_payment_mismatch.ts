import { Migration } from '@mikro-orm/migrations';

export class Migration20261128000000_payment_mismatch extends Migration {
  override name = 'Migration20261128000000_payment_mismatch';

  override up(): void | Promise<void> {
    this.addSql(`alter table "commerce"."payment" drop constraint "payment_state_check";`);
    this.addSql(
      `alter table "commerce"."payment" add constraint "payment_state_check" check ("state" in ('creating', 'open', 'expiring', 'expired', 'paid', 'mismatch', 'refused'));`,
    );
  }
}
