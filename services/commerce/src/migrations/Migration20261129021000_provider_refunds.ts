import { Migration } from '@mikro-orm/migrations';

export class Migration20261129021000_provider_refunds extends Migration {
  override name = 'Migration20261129021000_provider_refunds';

  override up(): void | Promise<void> {
    this.addSql(
      `create table "commerce"."provider_refund" ("provider" text not null, "provider_refund_id" text not null, "provider_payment_id" text not null, "refund_id" text null, "amount" bigint not null, "currency" text not null, "state" text not null, "failure" text null, "settlement_id" text null, "received_at" timestamptz(3) not null, "processed_at" timestamptz(3) null, "last_attempt_at" timestamptz(3) not null, primary key ("provider", "provider_refund_id"));`,
    );
    this.addSql(
      `create index provider_refund_unmatched on commerce.provider_refund (provider, provider_payment_id) where settlement_id is null;`,
    );
    this.addSql(
      `create index provider_refund_to_apply on commerce.provider_refund (last_attempt_at) where settlement_id is not null and processed_at is null;`,
    );
    this.addSql(
      `alter table "commerce"."provider_refund" add constraint "provider_refund_state_check" check ("state" in ('done', 'failed'));`,
    );
  }
}
