import { columnsOf, type RowOf } from '@event-api/platform/db/columns';
import type { Db, Tx } from '@event-api/platform/db/database';
import { statement } from '@event-api/platform/db/statement';
import type { FeeRule } from '../fees/fees.rules.ts';
import { PaymentAccount } from './payment-account.entity.ts';

const columns = columnsOf(PaymentAccount, 'a', { omit: ['createdAt'] });

/** An account of a business unit, with its encrypted secrets. */
export type AccountRow = RowOf<typeof columns>;

const byId = statement<AccountRow>(
  'payment_account_by_id',
  `select ${columns.sql} from commerce.payment_account a where a.id = $1`,
);

/** The account that a payment names. */
export async function findAccount(db: Db, id: string): Promise<AccountRow | null> {
  const [row] = await db.query(byId, [id]);
  return row ?? null;
}

const ofUnit = statement<AccountRow>(
  'payment_accounts_of_unit',
  `select ${columns.sql} from commerce.payment_account a
   where a.business_unit_id = $1 and a.provider = $2
   order by a.disconnected_at is null desc, a.created_at desc`,
);

/** Every account that a unit has or had at a provider, those that are not disconnected first. */
export const listAccounts = (
  db: Db,
  businessUnitId: string,
  provider: string,
): Promise<AccountRow[]> => db.query(ofUnit, [businessUnitId, provider]);

/** The account that new payments of a unit are opened on. */
export interface ConnectedAccount {
  id: string;
  canCharge: boolean;
  /** What the platform takes; null for an account by its key. */
  fee: FeeRule | null;
}

const connected = statement<ConnectedAccount>(
  'payment_account_connected',
  `select a.id as "id", a.can_charge as "canCharge",
     (select jsonb_build_object('basisPoints', f.basis_points, 'fixedAmount', f.fixed_amount) from commerce.payment_fee f
      where f.business_unit_id = a.business_unit_id and a.secret_key is null) as "fee"
   from commerce.payment_account a
   where a.business_unit_id = $1 and a.provider = $2 and a.connected_at is not null and a.disconnected_at is null`,
);

/** The account that new payments of a unit are opened on; null without one. */
export async function findConnected(
  db: Db,
  businessUnitId: string,
  provider: string,
): Promise<ConnectedAccount | null> {
  const [row] = await db.query(connected, [businessUnitId, provider]);
  return row ?? null;
}

const atProvider = statement<AccountRow>(
  'payment_account_at_provider',
  `select ${columns.sql} from commerce.payment_account a
   where a.provider = $1 and a.provider_account_id = $2`,
);

/** The row of a provider's account, of any unit. */
export async function findAtProvider(
  db: Db,
  provider: string,
  providerAccountId: string,
): Promise<AccountRow | null> {
  const [row] = await db.query(atProvider, [provider, providerAccountId]);
  return row ?? null;
}

const lockUnit = statement(
  'payment_account_lock_unit',
  `select pg_advisory_xact_lock(hashtextextended('payment_account ' || $1, 0))`,
);

/** Locks the choice of a unit's account until the end of the transaction. */
export const lockAccountsOfUnit = (tx: Tx, businessUnitId: string) =>
  tx.query(lockUnit, [businessUnitId]);

const disconnect = statement<{ id: string }>(
  'payment_account_disconnect',
  `update commerce.payment_account set disconnected_at = clock_timestamp()
   where business_unit_id = $1 and provider = $2 and disconnected_at is null and id is distinct from $3 returning id`,
);

/** Disconnects the accounts of a unit, but not `exceptId`. Returns whether it had one. */
export const disconnectAccount = async (
  tx: Tx,
  businessUnitId: string,
  provider: string,
  exceptId: string | null,
): Promise<boolean> =>
  (await tx.query(disconnect, [businessUnitId, provider, exceptId])).length > 0;

const store = statement<{ id: string }>(
  'payment_account_store',
  `insert into commerce.payment_account as a (id, business_unit_id, provider, provider_account_id, secret_key,
     webhook_secret, can_charge, checked_at, created_at, connected_at)
   values ($1, $2, $3, $4, $5, $6, true, clock_timestamp(), clock_timestamp(), clock_timestamp())
   on conflict (provider, provider_account_id) do update
     set secret_key = excluded.secret_key, webhook_secret = excluded.webhook_secret, can_charge = true,
       checked_at = excluded.checked_at, connected_at = coalesce(a.connected_at, excluded.connected_at), disconnected_at = null
     where a.id = excluded.id and a.business_unit_id = excluded.business_unit_id
   returning id`,
);

/**
 * Stores an account that can be charged by its key, or new secrets of it, and connects it. Returns
 * false if another unit has it.
 */
export const storeAccount = async (
  tx: Tx,
  account: Pick<AccountRow, 'id' | 'businessUnitId' | 'provider'> & {
    providerAccountId: string;
    secretKey: string;
    webhookSecret: string;
  },
): Promise<boolean> => {
  const { id, businessUnitId, provider, providerAccountId, secretKey, webhookSecret } = account;
  const values = [id, businessUnitId, provider, providerAccountId, secretKey, webhookSecret];
  return (await tx.query(store, values)).length > 0;
};

const start = statement<AccountRow>(
  'payment_account_start',
  `insert into commerce.payment_account as a (id, business_unit_id, provider, can_charge, checked_at, created_at)
   values ($1, $2, $3, false, clock_timestamp(), clock_timestamp()) returning ${columns.sql}`,
);

/** Stores an account of a unit that is not created at the provider yet, and returns it. */
export async function insertStartedAccount(
  tx: Tx,
  { id, businessUnitId, provider }: Pick<AccountRow, 'id' | 'businessUnitId' | 'provider'>,
): Promise<AccountRow> {
  const [row] = await tx.query(start, [id, businessUnitId, provider]);
  if (!row) throw new Error('the insert of an account returned no row');
  return row;
}

const writeProviderId = statement(
  'payment_account_provider_id_write',
  'update commerce.payment_account set provider_account_id = $2 where id = $1 and provider_account_id is null',
);

export const writeProviderAccountId = (db: Db, id: string, providerAccountId: string) =>
  db.query(writeProviderId, [id, providerAccountId]);

const writeChecked = statement(
  'payment_account_checked_write',
  `update commerce.payment_account
   set can_charge = $2, checked_at = $3, connected_at = case when $4 then clock_timestamp() else connected_at end
   where id = $1`,
);

/** Stores what the provider said about an account at `checkedAt`. */
export const writeCheckedAccount = (
  tx: Tx,
  id: string,
  state: { canCharge: boolean; checkedAt: Date; isConnected: boolean },
) => tx.query(writeChecked, [id, state.canCharge, state.checkedAt, state.isConnected]);

const pageRows = 100;

/** The encrypted secrets of an account. */
interface StoredSecrets {
  id: string;
  secretKey: string;
  webhookSecret: string;
}

const lockPage = statement<StoredSecrets>(
  'payment_account_secrets_page',
  `select a.id as "id", a.secret_key as "secretKey", a.webhook_secret as "webhookSecret"
   from commerce.payment_account a where a.id > $1 and a.secret_key is not null and a.webhook_secret is not null order by a.id limit ${pageRows} for update`,
);

/** Locks the next accounts with secrets after an id, of all units. */
export const lockAccountsAfter = (tx: Tx, id: string) => tx.query(lockPage, [id]);

const writeSecrets = statement(
  'payment_account_secrets_write',
  'update commerce.payment_account set secret_key = $2, webhook_secret = $3 where id = $1',
);

export const writeAccountSecrets = (tx: Tx, { id, secretKey, webhookSecret }: StoredSecrets) =>
  tx.query(writeSecrets, [id, secretKey, webhookSecret]);
