import { Migration } from '@mikro-orm/migrations';

export class Migration20261129020000_journal extends Migration {
  override name = 'Migration20261129020000_journal';

  override up(): void | Promise<void> {
    this.addSql(
      `create table "commerce"."journal_entry" ("position" bigserial primary key, "business_unit_id" text not null, "event_id" text not null, "order_id" text not null, "cause" text not null, "cause_id" text not null, "debit" text not null, "credit" text not null, "amount" bigint not null, "currency" text not null, "posted_at" timestamptz(3) not null);`,
    );
    this.addSql(
      `create index "journal_entry_of_unit" on "commerce"."journal_entry" ("business_unit_id", "posted_at", "position");`,
    );
    this.addSql(
      `create or replace function "commerce"."refund_journal_fn"() returns trigger as $$ begin insert into commerce.journal_entry (business_unit_id, event_id, order_id, cause, cause_id, debit, credit, amount, currency, posted_at) select new.business_unit_id, new.event_id, new.order_id, case when x.amount > 0 then x.cause else x.reversal end, new.id, case when x.amount > 0 then x.debit else x.credit end, case when x.amount > 0 then x.credit else x.debit end, abs(x.amount), new.currency, clock_timestamp() from (values (1, coalesce(case when new.state in ('due', 'pending', 'done') then new.amount end, 0) - coalesce(case when old.state in ('due', 'pending', 'done') then old.amount end, 0), 'refund_due', 'refund_withdrawn', 'sales', 'refunds_due'), (2, coalesce(case when new.state in ('done') then new.amount end, 0) - coalesce(case when old.state in ('done') then old.amount end, 0), 'refund', 'refund_returned', 'refunds_due', 'provider')) x(n, amount, cause, reversal, debit, credit) where x.amount <> 0 order by x.n; return null; end; $$ language plpgsql;`,
    );
    this.addSql(
      `create trigger "journal" AFTER INSERT OR UPDATE on "commerce"."refund" for each ROW execute function "commerce"."refund_journal_fn"();`,
    );
    this.addSql(
      `create or replace function "commerce"."settlement_journal_fn"() returns trigger as $$ begin if new.order_id is not null and new.state in ('accepted', 'mismatch', 'surplus', 'late') and (tg_op = 'INSERT' or old.state = 'received') then insert into commerce.journal_entry (business_unit_id, event_id, order_id, cause, cause_id, debit, credit, amount, currency, posted_at) select o.business_unit_id, o.event_id, o.id, 'charge', new.id, 'provider', 'sales', new.amount, new.currency, clock_timestamp() from commerce.customer_order o where o.id = new.order_id; end if; return null; end; $$ language plpgsql;`,
    );
    this.addSql(
      `create trigger "journal" AFTER INSERT OR UPDATE on "commerce"."settlement" for each ROW execute function "commerce"."settlement_journal_fn"();`,
    );
    this.addSql(
      `alter table "commerce"."journal_entry" add constraint "journal_entry_amount_check" check (amount > 0);`,
    );
    this.addSql(
      `alter table "commerce"."journal_entry" add constraint "journal_entry_debit_check" check ("debit" in ('provider', 'sales', 'refunds_due'));`,
    );
    this.addSql(
      `alter table "commerce"."journal_entry" add constraint "journal_entry_credit_check" check ("credit" in ('provider', 'sales', 'refunds_due'));`,
    );
    this.addSql(
      `create or replace function "commerce"."journal_entry_immutable_fn"() returns trigger as $$ begin raise exception 'entries of the journal are never changed'; end; $$ language plpgsql;`,
    );
    this.addSql(
      `create trigger "immutable" BEFORE UPDATE OR DELETE on "commerce"."journal_entry" for each ROW execute function "commerce"."journal_entry_immutable_fn"();`,
    );
    // The triggers have locked both tables: what is there is posted once, with the times of its moves.
    this.addSql(
      `insert into commerce.journal_entry (business_unit_id, event_id, order_id, cause, cause_id, debit, credit, amount, currency, posted_at)
       select * from (
         select o.business_unit_id, o.event_id, o.id, 'charge', s.id, 'provider', 'sales', s.amount, s.currency, s.received_at as at
         from commerce.settlement s join commerce.customer_order o on o.id = s.order_id
         where s.state in ('accepted', 'mismatch', 'surplus', 'late')
         union all
         select business_unit_id, event_id, order_id, 'refund_due', id, 'sales', 'refunds_due', amount, currency, created_at
         from commerce.refund where state in ('due', 'pending', 'done')
         union all
         select business_unit_id, event_id, order_id, 'refund', id, 'refunds_due', 'provider', amount, currency, coalesce(done_at, created_at)
         from commerce.refund where state = 'done'
       ) moves order by at;`,
    );
  }
}
