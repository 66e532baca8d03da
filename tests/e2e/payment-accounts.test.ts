import { randomBytes } from 'node:crypto';
import { listAudit } from '@event-api/contracts/operator/audit';
import { readTrialBalance } from '@event-api/contracts/operator/ledger';
import {
  connectPaymentAccount,
  disconnectPaymentAccount,
  getPaymentAccount,
  setPaymentAccountFee,
  setPaymentAccountKey,
} from '@event-api/contracts/operator/payment-accounts';
import { refundOrder } from '@event-api/contracts/operator/refunds';
import { signatureHeader } from '@event-api/contracts/payment-sandbox';
import { sign } from '@event-api/platform/core/signature';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { BusFixture } from './fixtures/bus.ts';
import {
  type Body,
  command,
  createAwaitingPayment,
  createCheckoutFixture,
  createSale,
  pay,
  type SaleFixture,
} from './fixtures/checkout.ts';
import { stopConsistent } from './fixtures/checkout-consistency.ts';

let bus: BusFixture;

beforeAll(async () => {
  const key = randomBytes(32).toString('base64url');
  const commerce = { PAYMENT_ACCOUNTS: 'unit', PAYMENT_SECRETS_KEYS: key };
  bus = await createCheckoutFixture({ commerce });
});
afterAll(() => stopConsistent(bus));

const newKey = (): string => `sandbox_sk_${randomBytes(12).toString('hex')}`;
const priced = () => createSale(bus, { priceAmount: 1000, capacity: 100 });

// The sandbox signs the notifications of an account with its key.
const setKey = ({ unitId: businessUnitId }: SaleFixture, secretKey: string) =>
  bus.operator.call(setPaymentAccountKey, {
    ...{ businessUnitId, secretKey, webhookSecret: secretKey },
  });

/** A unit with an account of its own. */
async function seller(): Promise<SaleFixture & { key: string }> {
  const [shop, key] = [await priced(), newKey()];
  await setKey(shop, key);
  return { ...shop, key };
}

/** Sends a notification to a path of the gateway. */
async function send(path: string, key: string, notification: object): Promise<number> {
  const body = Buffer.from(JSON.stringify(notification));
  const response = await fetch(`${bus.gatewayUrl}/payments/notifications/sandbox${path}`, {
    method: 'POST',
    headers: { [signatureHeader]: sign(key, new Date(), body) },
    body: new Uint8Array(body),
  });
  await response.body?.cancel();
  return response.status;
}

const paymentOf = async (orderId: string): Promise<Body> =>
  (
    await bus.database.sql(
      'select id, session_id, provider from commerce.payment where order_id = $1',
      [orderId],
    )
  )[0];
const settlementOf = async (orderId: string): Promise<Body> =>
  (
    await bus.database.sql(
      'select id, provider_payment_id, provider from commerce.settlement where order_id = $1',
      [orderId],
    )
  )[0];
const foreign = (objectId: string) =>
  bus.database.sql(
    'select kind, owned_by from commerce.foreign_notification where object_id = $1',
    [objectId],
  );

test('each unit is paid and refunds on its own account', async () => {
  const [one, other] = [await seller(), await seller()];
  for (const shop of [one, other]) {
    const { id, url } = await createAwaitingPayment(shop);
    const { provider } = await paymentOf(id);
    expect(provider).toMatch(/^sandbox\/pac_/);
    expect(await pay(url)).toBe(200);
    await shop.until(id, 'paid');
    await command(bus, shop, refundOrder, { orderId: id, all: true });
    expect(await shop.until(id, 'refunded')).toMatchObject({ refundedAmount: 1000 });
    const rows = await bus.database.sql(
      'select r.state, s.provider from commerce.refund r join commerce.settlement s on s.id = r.settlement_id where r.order_id = $1',
      [id],
    );
    expect(rows).toEqual([{ state: 'done', provider }]);
  }
});

describe('a unit without an account', () => {
  test('sells nothing that costs something, and everything else', async () => {
    const shop = await priced();
    const { status, body } = await shop.place();
    expect([status, body.error.details[0].reason]).toEqual([412, 'PAYMENT_ACCOUNT_MISSING']);
    expect(await shop.availability()).toMatchObject({ remaining: 100 });
    const free = await createSale(bus, { priceAmount: 0, capacity: 10 });
    const { id } = await free.placed();
    expect((await free.confirm(id)).body.status).toBe('paid');
  });

  test('that had one when the order was placed cannot open its page', async () => {
    const shop = await seller();
    const { id } = await shop.placed();
    const { unitId: businessUnitId } = shop;
    await bus.operator.call(disconnectPaymentAccount, { businessUnitId });
    const { status, body } = await shop.confirm(id);
    expect([status, body.error.details[0].reason]).toEqual([412, 'PAYMENT_ACCOUNT_MISSING']);
    expect((await shop.read(id)).status).toBe('held');
  });
});

test('open pages stay on their account when the unit has another one, and then none', async () => {
  const shop = await seller();
  const [first, second] = [await createAwaitingPayment(shop), await createAwaitingPayment(shop)];
  const third = await createAwaitingPayment(shop);
  const { provider } = await paymentOf(first.id);
  await setKey(shop, newKey());
  await pay(first.url);
  await shop.until(first.id, 'paid');
  expect((await paymentOf((await createAwaitingPayment(shop)).id)).provider).not.toBe(provider);
  await bus.operator.call(disconnectPaymentAccount, { businessUnitId: shop.unitId });
  await pay(second.url);
  await shop.until(second.id, 'paid');
  await shop.cancel(third.id);
  expect(await pay(third.url)).toBe(412);
  await command(bus, shop, refundOrder, { orderId: second.id, all: true });
  expect(await shop.until(second.id, 'refunded')).toMatchObject({ refundedAmount: 1000 });
  expect((await settlementOf(second.id)).provider).toBe(provider);
});

describe('a notification about a payment of another unit', () => {
  const reported = (session: object) => ({
    ...{ orderId: 'ord_x', paymentId: 'pi_x', amount: 1000, currency: 'EUR', ...session },
  });
  const byAccount = async () => {
    const { unitId, key } = await seller();
    return { path: `/${unitId}`, key };
  };
  const byPlatform = async () => ({ path: '', key: bus.sandboxSecret });

  test.each([
    ['session.paid', 'a unit', byAccount],
    ['session.declined', 'a unit', byAccount],
    ['session.paid', 'the platform', byPlatform],
    ['session.declined', 'the platform', byPlatform],
  ] as const)('as %s by %s changes nothing', async (type, _, sender) => {
    const [victim, { path, key }] = [await seller(), await sender()];
    const { id, url } = await createAwaitingPayment(victim);
    const before = await victim.read(id);
    const { id: attemptId, session_id: sessionId } = await paymentOf(id);
    const paymentId = `pi_${attemptId}`;
    const about = reported({ id: sessionId, attemptId, orderId: id, paymentId });
    for (const notificationId of ['evt_1', 'evt_2']) {
      const sent = { id: `${notificationId}_${attemptId}`, type, session: about };
      expect(await send(path, key, sent)).toBe(200);
      // One that names the attempt alone.
      const session = { ...about, id: `cs_${attemptId}` };
      expect(await send(path, key, { ...sent, session })).toBe(200);
    }
    const kind = type === 'session.paid' ? 'payment' : 'decline';
    const objectId = kind === 'payment' ? sessionId : paymentId;
    expect(await foreign(objectId)).toMatchObject([{ kind }]);
    const settlements = 'select id from commerce.settlement where session_id = any($1)';
    const sessionIds = [sessionId, `cs_${attemptId}`];
    expect(await bus.database.sql(settlements, [sessionIds])).toEqual([]);
    expect(await victim.read(id)).toEqual(before);
    await pay(url);
    await victim.until(id, 'paid');
  });

  test.each([
    ['refund.created', 'a unit', byAccount],
    ['refund.failed', 'a unit', byAccount],
    ['refund.created', 'the platform', byPlatform],
    ['refund.failed', 'the platform', byPlatform],
  ] as const)('as %s by %s changes nothing', async (type, _, sender) => {
    const [victim, { path, key }] = [await seller(), await sender()];
    const { id, url } = await createAwaitingPayment(victim);
    await pay(url);
    await victim.until(id, 'paid');
    await command(bus, victim, refundOrder, { orderId: id, amount: 400 });
    await expect.poll(async () => (await victim.read(id)).refundedAmount).toBe(400);
    const before = await victim.read(id);
    const { provider_payment_id: paymentId } = await settlementOf(id);
    const [made] = await bus.database.sql(
      'select id, provider_refund_id from commerce.refund where order_id = $1',
      [id],
    );
    // A refund that nobody has made, or the failure of the one that was made.
    const fails = type === 'refund.failed';
    const refundId: string = fails ? (made as Body).provider_refund_id : `re_${id}`;
    const amounts = { paymentId, amount: fails ? 400 : 600, currency: 'EUR' };
    const refund = fails
      ? { ...amounts, id: refundId, refundId: (made as Body).id, state: 'failed', failure: 'lost' }
      : { ...amounts, id: refundId, refundId: null, state: 'done', failure: null };
    expect(await send(path, key, { id: `evt_${id}`, type, refund })).toBe(200);
    expect(await foreign(refundId)).toMatchObject([{ kind: 'refund' }]);
    expect(await victim.read(id)).toEqual(before);
    await command(bus, victim, refundOrder, { orderId: id, all: true });
    await victim.until(id, 'refunded');
  });

  test.each([
    ['dispute.created', 'a unit', byAccount],
    ['dispute.closed', 'a unit', byAccount],
    ['dispute.created', 'the platform', byPlatform],
    ['dispute.closed', 'the platform', byPlatform],
  ] as const)('as %s by %s changes nothing', async (type, _, sender) => {
    const [victim, { path, key }] = [await seller(), await sender()];
    const { id, url } = await createAwaitingPayment(victim);
    await pay(url);
    await victim.until(id, 'paid');
    const before = await victim.read(id);
    const { provider_payment_id: paymentId } = await settlementOf(id);
    const [at, disputeId] = [new Date().toISOString(), `dp_${id}`];
    const status = type === 'dispute.closed' ? 'lost' : 'needs_response';
    const dispute = {
      ...{ id: disputeId, paymentId, amount: 1000, currency: 'EUR', status, reason: null },
      ...{ respondBy: null, createdAt: at },
    };
    expect(await send(path, key, { id: `evt_${id}`, type, at, dispute })).toBe(200);
    expect(await foreign(disputeId)).toMatchObject([{ kind: 'dispute' }]);
    expect(await victim.read(id)).toEqual(before);
    await command(bus, victim, refundOrder, { orderId: id, all: true });
    await victim.until(id, 'refunded');
  });

  test('with the secret of one account on the path of another one is not accepted', async () => {
    const [one, other] = [await seller(), await seller()];
    const about = reported({ id: 'cs_1', attemptId: 'pay_1' });
    const sent = { id: 'evt_1', type: 'session.paid', session: about };
    expect(await send(`/${one.unitId}`, other.key, sent)).toBe(400);
    expect(await send(`/${one.unitId}`, bus.sandboxSecret, sent)).toBe(400);
    expect(await send('/unit_unknown', other.key, sent)).toBe(400);
  });
});

describe('the key of an account', () => {
  test('is stored encrypted and returned by nothing', async () => {
    const shop = await priced();
    const secretKey = newKey();
    const { unitId: businessUnitId } = shop;
    const before = await bus.operator.call(getPaymentAccount, { businessUnitId });
    expect(before).toMatchObject({ account: 'missing', canCharge: false, providerAccountId: null });
    const set = await setKey(shop, secretKey);
    expect(set).toEqual({
      ...{ businessUnitId, account: 'own', provider: 'sandbox', canCharge: true, missing: [] },
      providerAccountId: expect.stringMatching(/^acct_/),
      notificationPath: `/payments/notifications/sandbox/${businessUnitId}`,
      ...{ isConnected: false, setup: null, fee: null },
    });
    expect(await bus.operator.call(getPaymentAccount, { businessUnitId })).toEqual(set);
    const rows = await bus.database.sql(
      `select a::text from commerce.payment_account a where business_unit_id = $1
       union all select e::text from commerce.audit_entry e where business_unit_id = $1
       union all select i::text from commerce.idempotency_key i`,
      [businessUnitId],
    );
    expect(JSON.stringify(rows)).not.toContain(secretKey);
    const { entries } = await bus.operator.call(listAudit('commerce'), {
      ...{ service: 'commerce', businessUnitId, operation: 'paymentAccount.setKey' },
    });
    expect(entries).toHaveLength(1);
  });

  test.each([
    ['the provider rejects', 'sk_live_0123456789abcdef', 'rejects the key'],
    ['of an account that cannot be charged', 'sandbox_sk_new0123456789abcdef', 'external_account'],
  ])('that %s is not stored', async (_, key, message) => {
    const shop = await priced();
    await expect(setKey(shop, key)).rejects.toThrow(message);
    const { unitId: businessUnitId } = shop;
    const { account } = await bus.operator.call(getPaymentAccount, { businessUnitId });
    expect(account).toBe('missing');
  });

  test('belongs to one unit', async () => {
    const [{ key }, other] = [await seller(), await priced()];
    await expect(setKey(other, key)).rejects.toThrow('another business unit');
  });

  test('of a race leaves one connected account', async () => {
    const shop = await priced();
    const keys = [newKey(), newKey(), newKey()];
    await Promise.all([...keys, ...keys].map((key) => setKey(shop, key)));
    const rows = await bus.database.sql(
      'select disconnected_at is null as "isConnected" from commerce.payment_account where business_unit_id = $1',
      [shop.unitId],
    );
    expect(rows).toHaveLength(3);
    expect(rows.filter((row) => (row as Body).isConnected)).toHaveLength(1);
  });
});

describe('an account that is connected to the one of the platform', () => {
  const returnUrl = 'https://console.example.com/';

  /** Connects an account as an operator and its owner do. */
  async function connect({ unitId: businessUnitId }: SaleFixture) {
    const started = await bus.operator.call(connectPaymentAccount, { businessUnitId, returnUrl });
    const page = started.onboardingUrl ?? '';
    const enter = async (canCharge: 0 | 1): Promise<Body> => {
      const url = new URL(page);
      url.searchParams.set('canCharge', String(canCharge));
      return (await fetch(url, { method: 'POST' })).json();
    };
    return { started, page, enter };
  }
  const account = ({ unitId: businessUnitId }: SaleFixture) =>
    bus.operator.call(getPaymentAccount, { businessUnitId });
  const connected = async () => {
    const shop = await priced();
    const { enter } = await connect(shop);
    await enter(1);
    await expect.poll(async () => (await account(shop)).account).toBe('own');
    return { ...shop, enter };
  };

  test('takes payments as soon as its owner has entered all that the provider needs', async () => {
    const shop = await priced();
    const { started, page, enter } = await connect(shop);
    expect(started).toMatchObject({
      ...{ account: 'missing', canCharge: false, providerAccountId: null },
      setup: { canCharge: false, missing: ['external_account'] },
    });
    expect((await shop.place()).body.error.details[0].reason).toBe('PAYMENT_ACCOUNT_MISSING');
    expect(await (await fetch(page)).text()).toContain('Set up your payment account');
    await enter(1);
    await expect.poll(() => account(shop)).toMatchObject({ account: 'own', canCharge: true });
    expect(await account(shop)).toMatchObject({
      ...{ isConnected: true, setup: null },
      providerAccountId: started.setup?.providerAccountId,
    });
    const { id, url } = await createAwaitingPayment(shop);
    expect((await paymentOf(id)).provider).toMatch(/^sandbox\/pac_/);
    await pay(url);
    await shop.until(id, 'paid');
    await command(bus, shop, refundOrder, { orderId: id, all: true });
    expect(await shop.until(id, 'refunded')).toMatchObject({ refundedAmount: 1000 });
    const again = await bus.operator.call(connectPaymentAccount, {
      ...{ businessUnitId: shop.unitId, returnUrl },
    });
    expect(again).toMatchObject({ onboardingUrl: null, setup: null });
  });

  test('leaves the present account in place until it can be charged', async () => {
    const shop = await seller();
    const { providerAccountId } = await account(shop);
    const { started, enter } = await connect(shop);
    expect(started).toMatchObject({ account: 'own', providerAccountId, isConnected: false });
    const { id, url } = await createAwaitingPayment(shop);
    await enter(1);
    const isConnected = async () => (await account(shop)).isConnected;
    await expect.poll(isConnected).toBe(true);
    expect((await account(shop)).providerAccountId).toBe(started.setup?.providerAccountId);
    await pay(url);
    await shop.until(id, 'paid');
  });

  test('that the provider blocks sells nothing, and its money goes nowhere else', async () => {
    const shop = await connected();
    await shop.enter(0);
    await expect.poll(async () => (await account(shop)).canCharge).toBe(false);
    const reason = async () => (await shop.place()).body.error?.details[0].reason;
    await expect.poll(reason).toBe('PAYMENT_ACCOUNT_MISSING');
    await shop.enter(1);
    await expect.poll(reason).toBeUndefined();
  });

  test('that the provider denies to the platform lacks access, and sells nothing', async () => {
    const shop = await connected();
    const { unitId: businessUnitId } = shop;
    await bus.database.sql(
      `update commerce.payment_account set provider_account_id = 'acct_' || md5(id)
       where business_unit_id = $1`,
      [businessUnitId],
    );
    expect(await account(shop)).toMatchObject({ canCharge: false, missing: ['access'] });
    await bus.operator.call(connectPaymentAccount, { businessUnitId, returnUrl }).catch(() => null);
    expect((await shop.place()).body.error?.details[0].reason).toBe('PAYMENT_ACCOUNT_MISSING');
  });

  test('reports about its own payments only', async () => {
    const [victim, other] = [await connected(), await connected()];
    const { id, url } = await createAwaitingPayment(victim);
    const { id: attemptId, session_id: sessionId } = await paymentOf(id);
    const session = {
      ...{ id: sessionId, attemptId, orderId: id, paymentId: `pi_${attemptId}` },
      ...{ amount: 1000, currency: 'EUR' },
    };
    const { providerAccountId } = await account(other);
    const sent = { id: `evt_${attemptId}`, type: 'session.paid', session };
    const asAccount = (named: string | null) =>
      send('', bus.sandboxSecret, { ...sent, account: named });
    expect(await asAccount(providerAccountId)).toBe(200);
    expect(await foreign(sessionId)).toMatchObject([{ kind: 'payment' }]);
    expect(await asAccount('acct_of_another_platform')).toBe(200);
    expect(await asAccount(null)).toBe(200);
    expect((await victim.read(id)).status).toBe('awaiting_payment');
    await pay(url);
    await victim.until(id, 'paid');
  });

  test('has a fee of the platform, of which refunds return their share', async () => {
    const [shop, byKey] = [await connected(), await seller()];
    const fee = { basisPoints: 250, fixedAmount: 30 };
    const balanceOf = async ({ unitId: businessUnitId }: SaleFixture) => {
      const { accounts } = await bus.operator.call(readTrialBalance, { businessUnitId });
      return Object.fromEntries(accounts.map(({ account: name, balance }) => [name, balance]));
    };
    for (const { unitId: businessUnitId } of [shop, byKey]) {
      await bus.operator.call(setPaymentAccountFee, { businessUnitId, ...fee });
    }
    const paid = async (sale: SaleFixture) => {
      const { id, url } = await createAwaitingPayment(sale);
      await pay(url);
      await sale.until(id, 'paid');
      return id;
    };
    expect((await account(shop)).fee).toEqual(fee);
    const id = await paid(shop);
    expect(await balanceOf(shop)).toEqual({ provider: 945, fee: 55, sales: -1000 });
    await command(bus, shop, refundOrder, { orderId: id, amount: 100 });
    await expect.poll(() => balanceOf(shop)).toMatchObject({ provider: 851, fee: 49 });
    await command(bus, shop, refundOrder, { orderId: id, all: true });
    await shop.until(id, 'refunded');
    await expect.poll(() => balanceOf(shop)).toMatchObject({ provider: 0, fee: 0, sales: 0 });
    await paid(byKey);
    expect(await balanceOf(byKey)).toEqual({ provider: 1000, sales: -1000 });
  });
});
