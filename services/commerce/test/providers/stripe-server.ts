import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';

interface Session {
  id: string;
  object: 'checkout.session';
  url: string;
  status: 'open' | 'complete' | 'expired';
  payment_status: 'unpaid' | 'paid';
  payment_intent: string | null;
  amount_total: number;
  currency: string;
  client_reference_id: string;
  metadata: { orderId: string; attemptId: string };
}

interface Refund {
  id: string;
  object: 'refund';
  status: 'succeeded';
  payment_intent: string;
  amount: number;
  metadata: { refundId: string };
}

/** The accounts, by their secret keys. */
const accounts = new Map<string, object>([
  ['sk_test_1', { id: 'acct_1', charges_enabled: true }],
  [
    'sk_test_new',
    {
      id: 'acct_new',
      charges_enabled: false,
      requirements: { currently_due: ['external_account'] },
    },
  ],
]);

/** The accounts that are connected to the one of the platform, in the order of their creation. */
const connectedAccount = (id: string) => ({
  ...{ id, charges_enabled: false },
  requirements: { currently_due: ['business_type'] },
});

/** A server that implements the part of Stripe's API that commerce uses. */
export async function startStripeServer() {
  const sessions = new Map<string, Session>();
  const responses = new Map<string, { request: string; status: number; body: unknown }>();
  const refunds: Refund[] = [];
  const transactions: { id: string; created: number }[] = [];
  let mode: 'fine' | 'broken' | 'hanging' | 'switching' = 'fine';
  let released: Promise<void> | null = null;
  const connected = new Map<string, object>();
  const requests: {
    path: string;
    key: string | undefined;
    account: string | undefined;
    form: URLSearchParams;
  }[] = [];

  const server = createServer(async (request, response) => {
    const text = await textOf(request);
    const form = new URLSearchParams(text);
    const path = request.url ?? '';
    const key = request.headers['idempotency-key']?.toString();
    const connectedId = request.headers['stripe-account']?.toString();
    requests.push({ path, key, account: connectedId, form });
    if (mode === 'hanging') return;
    if (mode === 'switching') {
      request.socket.write('HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\n\r\n');
      return;
    }
    await released;
    const send = (status: number, body: unknown) =>
      response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
    if (mode === 'broken') return send(500, { error: { type: 'api_error', message: 'broken' } });
    const secretKey = request.headers.authorization?.replace('Bearer ', '') ?? '';
    const account = connectedId ? connected.get(connectedId) : accounts.get(secretKey);
    if (!account) return send(connectedId ? 403 : 401, refusal('auth'));
    if (path === '/v1/account') return send(200, account);
    const cached = key && responses.get(key);
    if (cached && cached.request !== `${path} ${text}`) return send(400, usedKey);
    if (cached) return send(cached.status, cached.body);
    const [status, body] = respond(request.method ?? '', path, form);
    // Stripe also repeats a refusal, unless the parameters themselves were invalid.
    if (key && (status === 200 || path === '/v1/refunds')) {
      responses.set(key, { request: `${path} ${text}`, status, body });
    }
    return send(status, body);
  });

  function respond(method: string, path: string, form: URLSearchParams): [number, unknown] {
    if (method === 'POST' && path === '/v1/checkout/sessions') return create(form);
    if (method === 'POST' && path === '/v1/refunds') return refund(form);
    if (method === 'POST' && path === '/v1/accounts') {
      const id = `acct_connected_${connected.size + 1}`;
      connected.set(id, connectedAccount(id));
      return [200, connected.get(id)];
    }
    if (method === 'POST' && path === '/v1/account_links') {
      return [200, { url: `https://connect.stripe.com/setup/${form.get('account')}` }];
    }
    if (method === 'GET' && path.startsWith('/v1/refunds?')) {
      const intent = new URLSearchParams(path.split('?')[1]).get('payment_intent');
      const data = refunds.filter((each) => each.payment_intent === intent);
      return [200, { object: 'list', data, has_more: false, url: '/v1/refunds' }];
    }
    if (method === 'GET' && path.startsWith('/v1/balance_transactions?')) {
      return [200, balanceTransactions(new URLSearchParams(path.split('?')[1]))];
    }
    const [, id = '', verb] = /^\/v1\/checkout\/sessions\/(\w+)(\/expire)?$/.exec(path) ?? [];
    const session = sessions.get(id);
    if (!session) return [404, refusal('resource_missing')];
    if (verb !== '/expire') return [200, session];
    if (session.status !== 'open') return [400, refusal('session_not_open')];
    session.status = 'expired';
    return [200, session];
  }

  /** Newest first, with their sources only if they are to be expanded. */
  function balanceTransactions(query: URLSearchParams): unknown {
    if (query.get('expand[0]') !== 'data.source') throw new Error('sources are not expanded');
    const inPeriod = transactions
      .filter(({ created }) => created >= Number(query.get('created[gte]')))
      .filter(({ created }) => created < Number(query.get('created[lt]')))
      .toReversed();
    const start = inPeriod.findIndex(({ id }) => id === query.get('starting_after')) + 1;
    const end = start + Number(query.get('limit'));
    const data = inPeriod.slice(start, end);
    return {
      object: 'list',
      data,
      has_more: inPeriod.length > end,
      url: '/v1/balance_transactions',
    };
  }

  function create(form: URLSearchParams): [number, unknown] {
    const amount = Number(form.get('line_items[0][price_data][unit_amount]'));
    if (amount < 50) return [400, refusal('amount_too_small')];
    const livesMinutes = (Number(form.get('expires_at')) * 1000 - Date.now()) / 60_000;
    if (livesMinutes < 30 || livesMinutes > 24 * 60) return [400, refusal('expires_at')];
    const id = `cs_test_${sessions.size + 1}`;
    const session: Session = {
      id,
      object: 'checkout.session',
      url: `https://checkout.stripe.com/c/pay/${id}`,
      status: 'open',
      payment_status: 'unpaid',
      payment_intent: null,
      amount_total: amount,
      currency: form.get('line_items[0][price_data][currency]') ?? '',
      client_reference_id: form.get('client_reference_id') ?? '',
      metadata: {
        orderId: form.get('metadata[orderId]') ?? '',
        attemptId: form.get('metadata[attemptId]') ?? '',
      },
    };
    sessions.set(id, session);
    return [200, { ...session }];
  }

  function refund(form: URLSearchParams): [number, unknown] {
    const intent = form.get('payment_intent') ?? '';
    const session = [...sessions.values()].find((each) => each.payment_intent === intent);
    const amount = Number(form.get('amount'));
    const sent = refunds.filter((each) => each.payment_intent === intent);
    const back = sent.reduce((sum, each) => sum + each.amount, amount);
    if (!session || back > session.amount_total) return [400, refusal('charge_already_refunded')];
    const created: Refund = {
      ...{ id: `re_${refunds.length + 1}`, object: 'refund', status: 'succeeded' },
      ...{ payment_intent: intent, amount },
      metadata: { refundId: form.get('metadata[refundId]') ?? '' },
    };
    refunds.push(created);
    return [200, created];
  }

  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests,
    transactions,
    behave: (as: typeof mode) => {
      mode = as;
    },
    /** Holds responses back until `act` returns. */
    async holdResponses<Result>(act: () => Promise<Result>): Promise<Result> {
      const { promise, resolve } = Promise.withResolvers<void>();
      released = promise;
      try {
        return await act();
      } finally {
        released = null;
        resolve();
      }
    },
    /** Pays a session as a buyer does. */
    pay(id: string): Session {
      const session = sessions.get(id);
      if (!session) throw new Error('session not found');
      Object.assign(session, {
        status: 'complete',
        payment_status: 'paid',
        payment_intent: `pi_${id}`,
      });
      return session;
    },
    session: (id: string) => sessions.get(id),
    /** Forgets idempotency keys, as Stripe does after a day. */
    forgetKeys: () => responses.clear(),
    sessionsOf: (orderId: string) =>
      [...sessions.values()].filter((session) => session.client_reference_id === orderId),
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

const refusal = (code: string) => ({
  error: { type: 'invalid_request_error', code, message: code },
});

/** The response of Stripe to an idempotency key that was used with other parameters. */
const usedKey = {
  error: {
    type: 'idempotency_error',
    message: 'Keys for idempotent requests can only be used with the same parameters.',
  },
};

async function textOf(request: IncomingMessage): Promise<string> {
  let text = '';
  for await (const part of request) text += part;
  return text;
}
