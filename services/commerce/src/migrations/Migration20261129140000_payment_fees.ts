import { Migration } from '@mikro-orm/migrations';

export class Migration20261129140000_payment_fees extends Migration {
  override name = 'Migration20261129140000_payment_fees';

  override up(): void | Promise<void> {
    this.addSql(
      `create table "commerce"."payment_fee" ("business_unit_id" text not null, "basis_points" int not null, "fixed_amount" bigint not null, primary key ("business_unit_id"), constraint payment_fee_basis_points_check check (basis_points >= 0 and basis_points <= 10000), constraint payment_fee_fixed_amount_check check (fixed_amount >= 0));`,
    );
    for (const table of ['payment', 'settlement', 'refund']) {
      this.addSql(
        `alter table "commerce"."${table}" add column "fee_amount" bigint not null default '0';`,
      );
    }
    for (const side of ['debit', 'credit']) {
      const name = `journal_entry_${side}_check`;
      this.addSql(`alter table "commerce"."journal_entry" drop constraint "${name}";`);
      this.addSql(
        `alter table "commerce"."journal_entry" add constraint "${name}" check ("${side}" in ('provider', 'sales', 'tax', 'fee', 'refunds_due', 'dispute'));`,
      );
    }
    this.addSql(
      `create or replace function "commerce"."settlement_fee_fn"() returns trigger as $$ begin if new.order_id is not null and new.state in ('accepted', 'mismatch', 'surplus', 'late') and (tg_op = 'INSERT' or old.state = 'received') then new.fee_amount := coalesce((select least(p.fee_amount, new.amount) from commerce.payment p where p.provider = new.provider and p.currency = new.currency and (p.session_id = new.session_id or (p.id = new.attempt_id and p.session_id is null)) limit 1), 0); end if; return new; end; $$ language plpgsql;`,
    );
    this.addSql(
      `create trigger "fee" BEFORE INSERT OR UPDATE on "commerce"."settlement" for each ROW execute function "commerce"."settlement_fee_fn"();`,
    );
    this.addSql(
      `create or replace function "commerce"."settlement_journal_fee_fn"() returns trigger as $$ begin if new.fee_amount > 0 and new.order_id is not null and new.state in ('accepted', 'mismatch', 'surplus', 'late') and (tg_op = 'INSERT' or old.state = 'received') then insert into commerce.journal_entry (business_unit_id, event_id, order_id, cause, cause_id, debit, credit, amount, currency, posted_at) select o.business_unit_id, o.event_id, o.id, 'fee', new.id, 'fee', 'provider', new.fee_amount, new.currency, clock_timestamp() from commerce.customer_order o where o.id = new.order_id; end if; return null; end; $$ language plpgsql;`,
    );
    this.addSql(
      `create trigger "journal_fee" AFTER INSERT OR UPDATE on "commerce"."settlement" for each ROW execute function "commerce"."settlement_journal_fee_fn"();`,
    );
    this.addSql(
      `create or replace function "commerce"."refund_fee_fn"() returns trigger as $$ begin if new.state <> 'done' then new.fee_amount := 0; elsif tg_op = 'INSERT' or old.state <> 'done' then new.fee_amount := coalesce((select least(greatest(case when x.others + new.amount > x.gross then div(2 * new.amount * x.tax + x.gross, 2 * x.gross) else div(2 * (x.others + new.amount) * x.tax + x.gross, 2 * x.gross) - x.others_tax end, 0), new.amount) from (select s.amount::numeric as gross, s.fee_amount::numeric as tax, coalesce(sum(f.amount), 0) as others, coalesce(sum(f.fee_amount), 0) as others_tax from commerce.settlement s left join commerce.refund f on f.order_id = new.order_id and f.settlement_id = s.id and f.id <> new.id and f.state = 'done' where s.id = new.settlement_id and s.fee_amount > 0 group by s.amount, s.fee_amount) x), 0); end if; return new; end; $$ language plpgsql;`,
    );
    this.addSql(
      `create trigger "fee" BEFORE INSERT OR UPDATE on "commerce"."refund" for each ROW execute function "commerce"."refund_fee_fn"();`,
    );
    this.addSql(
      `create or replace function "commerce"."refund_journal_fee_fn"() returns trigger as $$ begin insert into commerce.journal_entry (business_unit_id, event_id, order_id, cause, cause_id, debit, credit, amount, currency, posted_at) select new.business_unit_id, new.event_id, new.order_id, case when x.amount > 0 then 'fee_returned' else 'fee' end, new.id, case when x.amount > 0 then 'provider' else 'fee' end, case when x.amount > 0 then 'fee' else 'provider' end, abs(x.amount), new.currency, clock_timestamp() from (values (new.fee_amount - coalesce(old.fee_amount, 0))) x(amount) where x.amount <> 0; return null; end; $$ language plpgsql;`,
    );
    this.addSql(
      `create trigger "journal_fee" AFTER INSERT OR UPDATE on "commerce"."refund" for each ROW execute function "commerce"."refund_journal_fee_fn"();`,
    );
  }
}
