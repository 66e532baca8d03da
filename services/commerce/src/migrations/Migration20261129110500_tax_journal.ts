import { Migration } from '@mikro-orm/migrations';

export class Migration20261129110500_tax_journal extends Migration {
  override name = 'Migration20261129110500_tax_journal';

  override up(): void | Promise<void> {
    for (const table of ['settlement', 'refund']) {
      this.addSql(
        `alter table "commerce"."${table}" add column "tax_amount" bigint not null default '0';`,
      );
    }
    for (const side of ['debit', 'credit']) {
      const name = `journal_entry_${side}_check`;
      this.addSql(`alter table "commerce"."journal_entry" drop constraint "${name}";`);
      this.addSql(
        `alter table "commerce"."journal_entry" add constraint "${name}" check ("${side}" in ('provider', 'sales', 'tax', 'refunds_due', 'dispute'));`,
      );
    }
    this.addSql(
      `create or replace function "commerce"."settlement_journal_fn"() returns trigger as $$ begin if new.order_id is not null and new.state in ('accepted', 'mismatch', 'surplus', 'late') and (tg_op = 'INSERT' or old.state = 'received') then insert into commerce.journal_entry (business_unit_id, event_id, order_id, cause, cause_id, debit, credit, amount, currency, posted_at) select o.business_unit_id, o.event_id, o.id, x.cause, new.id, x.debit, x.credit, x.amount, new.currency, clock_timestamp() from commerce.customer_order o, (values (1, 'charge', 'provider', 'sales', new.amount), (2, 'tax', 'sales', 'tax', new.tax_amount)) x(n, cause, debit, credit, amount) where o.id = new.order_id and x.amount > 0 order by x.n; end if; return null; end; $$ language plpgsql;`,
    );
    this.addSql(
      `create or replace function "commerce"."refund_journal_fn"() returns trigger as $$ begin insert into commerce.journal_entry (business_unit_id, event_id, order_id, cause, cause_id, debit, credit, amount, currency, posted_at) select new.business_unit_id, new.event_id, new.order_id, case when x.amount > 0 then x.cause else x.reversal end, new.id, case when x.amount > 0 then x.debit else x.credit end, case when x.amount > 0 then x.credit else x.debit end, abs(x.amount), new.currency, clock_timestamp() from (values (1, coalesce(case when new.state in ('due', 'pending', 'done') then new.amount end, 0) - coalesce(case when old.state in ('due', 'pending', 'done') then old.amount end, 0), 'refund_due', 'refund_withdrawn', 'sales', 'refunds_due'), (2, coalesce(case when new.state in ('done') then new.amount end, 0) - coalesce(case when old.state in ('done') then old.amount end, 0), 'refund', 'refund_returned', 'refunds_due', 'provider'), (3, coalesce(case when new.state in ('due', 'pending', 'done') then new.tax_amount end, 0) - coalesce(case when old.state in ('due', 'pending', 'done') then old.tax_amount end, 0), 'tax_returned', 'tax', 'tax', 'sales')) x(n, amount, cause, reversal, debit, credit) where x.amount <> 0 order by x.n; return null; end; $$ language plpgsql;`,
    );
    this.addSql(
      `create or replace function "commerce"."settlement_tax_fn"() returns trigger as $$ begin if new.state = 'accepted' and (tg_op = 'INSERT' or old.state = 'received') then new.tax_amount := coalesce((select o.tax_amount from commerce.customer_order o where o.id = new.order_id and coalesce(o.settlement_id, new.id) = new.id), 0); end if; return new; end; $$ language plpgsql;`,
    );
    this.addSql(
      `create trigger "tax" BEFORE INSERT OR UPDATE on "commerce"."settlement" for each ROW execute function "commerce"."settlement_tax_fn"();`,
    );
    this.addSql(
      `create or replace function "commerce"."refund_tax_fn"() returns trigger as $$ begin if tg_op = 'INSERT' or old.amount <> new.amount or (old.state <> new.state and new.state in ('due', 'pending', 'done') and (new.state = 'done' or old.state not in ('due', 'pending'))) then new.tax_amount := coalesce((select least(greatest(case when x.others + new.amount > x.gross then div(2 * new.amount * x.tax + x.gross, 2 * x.gross) else div(2 * (x.others + new.amount) * x.tax + x.gross, 2 * x.gross) - x.others_tax end, 0), new.amount) from (select s.amount::numeric as gross, s.tax_amount::numeric as tax, coalesce(sum(f.amount), 0) as others, coalesce(sum(f.tax_amount), 0) as others_tax from commerce.settlement s left join commerce.refund f on f.order_id = new.order_id and f.settlement_id = s.id and f.id <> new.id and (f.state = 'done' or (new.state <> 'done' and f.state in ('due', 'pending'))) where s.id = new.settlement_id and s.tax_amount > 0 group by s.amount, s.tax_amount) x), 0); end if; return new; end; $$ language plpgsql;`,
    );
    this.addSql(
      `create trigger "tax" BEFORE INSERT OR UPDATE on "commerce"."refund" for each ROW execute function "commerce"."refund_tax_fn"();`,
    );
  }
}
