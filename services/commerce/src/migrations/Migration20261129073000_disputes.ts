import { Migration } from '@mikro-orm/migrations';

export class Migration20261129073000_disputes extends Migration {
  override name = 'Migration20261129073000_disputes';

  override up(): void | Promise<void> {
    this.addSql(
      `create table "commerce"."dispute" ("provider" text not null, "provider_dispute_id" text not null, "provider_payment_id" text not null, "amount" bigint not null, "currency" text not null, "status" text not null, "reason" text null, "respond_by" timestamptz(3) null, "created_at" timestamptz(3) not null, "reported_at" timestamptz(3) not null, "settlement_id" text null, "order_id" text null, "business_unit_id" text null, "event_id" text null, "received_at" timestamptz(3) not null, primary key ("provider", "provider_dispute_id"));`,
    );
    this.addSql(
      `create index dispute_of_order on commerce.dispute (order_id) where order_id is not null;`,
    );
    this.addSql(
      `create index dispute_of_settlement on commerce.dispute (settlement_id) where settlement_id is not null;`,
    );
    this.addSql(
      `create index dispute_of_event on commerce.dispute (business_unit_id, event_id) where order_id is not null;`,
    );
    this.addSql(
      `create index dispute_unmatched on commerce.dispute (provider, provider_payment_id) where order_id is null;`,
    );
    this.addSql(
      `create index dispute_open on commerce.dispute (respond_by) where status in ('inquiry', 'needs_response', 'under_review');`,
    );
    this.addSql(
      `alter table "commerce"."dispute" add constraint "dispute_amount_check" check (amount >= 0);`,
    );
    this.addSql(
      `alter table "commerce"."dispute" add constraint "dispute_status_check" check ("status" in ('inquiry', 'needs_response', 'under_review', 'won', 'lost'));`,
    );
    for (const side of ['debit', 'credit']) {
      const name = `journal_entry_${side}_check`;
      this.addSql(`alter table "commerce"."journal_entry" drop constraint "${name}";`);
      this.addSql(
        `alter table "commerce"."journal_entry" add constraint "${name}" check ("${side}" in ('provider', 'sales', 'refunds_due', 'dispute'));`,
      );
    }
    this.addSql(
      `create or replace function "commerce"."dispute_journal_fn"() returns trigger as $$ begin insert into commerce.journal_entry (business_unit_id, event_id, order_id, cause, cause_id, debit, credit, amount, currency, posted_at) select new.business_unit_id, new.event_id, new.order_id, case when x.amount > 0 then 'dispute' else 'dispute_returned' end, new.provider_dispute_id, case when x.amount > 0 then 'dispute' else 'provider' end, case when x.amount > 0 then 'provider' else 'dispute' end, abs(x.amount), new.currency, clock_timestamp() from (values (coalesce(case when new.order_id is not null and new.status in ('needs_response', 'under_review', 'lost') then new.amount end, 0) - coalesce(case when old.order_id is not null and old.status in ('needs_response', 'under_review', 'lost') then old.amount end, 0))) x(amount) where x.amount <> 0; return null; end; $$ language plpgsql;`,
    );
    this.addSql(
      `create trigger "journal" AFTER INSERT OR UPDATE on "commerce"."dispute" for each ROW execute function "commerce"."dispute_journal_fn"();`,
    );
  }
}
