import { Migration } from '@mikro-orm/migrations';

export class Migration20261128230000_claim_links extends Migration {
  override name = 'Migration20261128230000_claim_links';

  override up(): void | Promise<void> {
    this.addSql(
      `create table "commerce"."claim_link" ("id" text not null, "business_unit_id" text not null, "event_id" text not null, "order_id" text not null, "seat_id" text null, "token_hash" text not null, "created_at" timestamptz(3) not null, "revoked_at" timestamptz(3) null, primary key ("id"));`,
    );
    this.addSql(
      `alter table "commerce"."claim_link" add constraint "claim_link_token" unique ("token_hash");`,
    );
    this.addSql(
      `create unique index claim_link_usable on commerce.claim_link (order_id, coalesce(seat_id, '')) where revoked_at is null;`,
    );
  }
}
