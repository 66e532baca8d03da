import { createHash, timingSafeEqual } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import { disputeStatuses } from '@event-api/contracts/http/orders';
import { connectedAccountHeader } from '@event-api/contracts/payment-sandbox';
import {
  ApiError,
  notFound,
  preconditionFailed,
  unauthenticated,
} from '@event-api/platform/core/errors';
import type { Logger } from '@event-api/platform/core/log';
import { errorHandler, toApiError } from '@event-api/platform/http/error-handler';
import { createHttpServer, type HttpServer } from '@event-api/platform/http/server';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import {
  accountNotification,
  disputeNotification,
  type NotificationType,
  type Notifier,
  type RefundNotificationType,
  refundNotification,
  sessionNotification,
} from './notify.ts';
import { accountPage, closedPage, contentSecurityPolicy, errorPage, paymentPage } from './page.ts';
import {
  type ConnectedAccount,
  CreateSessionInput,
  returnUrl,
  type Session,
  type Sessions,
} from './sessions.ts';

export interface SandboxDeps {
  sessions: Sessions;
  notifier: Notifier;
  secrets: readonly string[];
  publicUrl: string;
  now: () => Date;
  log: Logger;
}

/** The series of notifications for each value of `notify`. */
const notificationsBySwitch = {
  once: [['session.paid']],
  twice: [['session.paid'], ['session.paid']],
  // Notifications about the time before the payment follow it.
  reversed: [['session.paid', 'session.declined', 'session.expired']],
  never: [],
} satisfies Record<string, NotificationType[][]>;

/** The series of notifications about a refund, which may fail, for each value of `notify`. */
const refundTypesBySwitch = {
  once: (fails) => [made(fails)],
  twice: (fails) => [made(fails), made(fails)],
  // The notifications about a failed refund arrive in the wrong order.
  reversed: (fails) => [made(fails).toReversed()],
  never: () => [],
} satisfies Record<string, (fails: boolean) => RefundNotificationType[][]>;

const made = (fails: boolean): RefundNotificationType[] =>
  fails ? ['refund.created', 'refund.failed'] : ['refund.created'];

/**
 * The query of `/pay`: when the payment is accepted, which notifications are sent, and which amount
 * is received.
 */
const Switches = z.object({
  late: z.enum(['0', '1']).default('0'),
  notify: z.enum(['once', 'twice', 'reversed', 'never']).default('once'),
  delayMs: z.coerce.number().int().min(0).max(3_600_000).default(0),
  amount: z.coerce.number().int().min(1).optional(),
  currency: z
    .string()
    .regex(/^[A-Z]{3}$/)
    .optional(),
});

/** The query of `/refund`: the amount, and which notifications are sent. */
const RefundSwitches = z.object({
  amount: z.coerce.number().int().min(1).optional(),
  notify: z.enum(['once', 'twice', 'reversed', 'never']).default('once'),
  fails: z.enum(['0', '1']).default('0'),
  delayMs: z.coerce.number().int().min(0).max(3_600_000).default(0),
});

/** The query of `/dispute`: the amount, what becomes of it, and how often that is notified. */
const DisputeSwitches = z.object({
  amount: z.coerce.number().int().min(1).optional(),
  status: z.enum(disputeStatuses).default('needs_response'),
  notify: z.enum(['once', 'twice', 'never']).default('once'),
  delayMs: z.coerce.number().int().min(0).max(3_600_000).default(0),
});

/** The query of `/accounts/{id}/setup`: where its owner goes afterwards, and what becomes of it. */
const SetupQuery = z.object({
  returnUrl: returnUrl(),
  canCharge: z.enum(['0', '1']).default('1'),
});

/** How long a dispute can be answered. */
const responseDays = 7;

/**
 * The secret key of an account of its own: any word of at least 16 characters after
 * `sandbox_sk_`. It also signs the notifications of the account.
 */
const accountKeyOf = ({ authorization }: IncomingHttpHeaders): string | undefined =>
  /^Bearer (sandbox_sk_\w{16,200})$/.exec(authorization ?? '')?.[1];

/** The account of a key. One whose key begins with `sandbox_sk_new` cannot be charged yet. */
const accountOf = (key: string) => {
  const isNew = key.startsWith('sandbox_sk_new');
  return connectedView({ id: `acct_${digestOf(key)}`, canCharge: !isNew });
};

const digestOf = (text: string): string =>
  createHash('sha256').update(text).digest('hex').slice(0, 16);

const connectedView = ({ id, canCharge }: ConnectedAccount) => ({
  ...{ id, canCharge },
  missing: canCharge ? [] : ['external_account'],
});

/** 412: the session has expired, or the platform has expired it. */
const sessionEnded = () =>
  new ApiError(412, 'This payment session has ended and can no longer be paid', {
    details: [{ reason: 'SESSION_ENDED' }],
  });

/**
 * Builds the stand-in for a payment provider: an API for the platform and a payment page for
 * buyers.
 */
export function buildSandbox(deps: SandboxDeps): HttpServer {
  const app = createHttpServer({ log: deps.log, checkResponses: false, trustRequestId: false });
  app.register(async (inner) => platformRoutes(inner as unknown as HttpServer, deps));
  app.register(async (inner) => pageRoutes(inner as unknown as HttpServer, deps));
  return app;
}

function platformRoutes(app: HttpServer, deps: SandboxDeps): void {
  const { sessions, notifier, secrets, publicUrl, now } = deps;
  app.addHook('onRequest', async ({ headers }) => {
    const presented = Buffer.from(headers.authorization ?? '');
    const isAuthorized = secrets.some((secret) => {
      const expected = Buffer.from(`Bearer ${secret}`);
      return presented.length === expected.length && timingSafeEqual(presented, expected);
    });
    if (!isAuthorized && accountKeyOf(headers) === undefined) throw unauthenticated();
  });
  /** The account that a request of the platform acts on. Errors: 404. */
  const connectedOf = (headers: IncomingHttpHeaders): ConnectedAccount | undefined => {
    const id = headers[connectedAccountHeader];
    if (typeof id !== 'string' || accountKeyOf(headers) !== undefined) return undefined;
    const account = sessions.accountOf(id);
    if (!account) throw notFound();
    return account;
  };
  const ownerOf = (headers: IncomingHttpHeaders) => {
    const [accountKey, connected] = [accountKeyOf(headers), connectedOf(headers)?.id];
    return { ...(accountKey && { accountKey }), ...(connected && { connected }) };
  };
  /** An account knows its own sessions only. */
  const isOwn = ({ accountKey, connected }: Session, headers: IncomingHttpHeaders): boolean => {
    const owner = ownerOf(headers);
    return accountKey === owner.accountKey && connected === owner.connected;
  };
  const view = ({ accountKey: _, connected: __, ...session }: Session) => ({
    ...session,
    url: `${publicUrl}/pay/${session.id}`,
  });
  const sessionOf = (request: FastifyRequest): Session => {
    const session = sessions.find((request.params as { id: string }).id, now());
    if (!session || !isOwn(session, request.headers)) throw notFound();
    return session;
  };

  app.post('/sessions', { schema: { body: CreateSessionInput } }, async ({ body, headers }) =>
    view(sessions.create(body, ownerOf(headers))),
  );
  app.get('/account', async ({ headers }) => {
    const connected = connectedOf(headers);
    return connected ? connectedView(connected) : accountOf(accountKeyOf(headers) ?? 'platform');
  });
  const CreateAccountInput = z.object({ idempotencyKey: z.string().min(1).max(200) });
  app.post('/accounts', { schema: { body: CreateAccountInput } }, async ({ body }) => {
    const id = `acct_${digestOf(body.idempotencyKey)}`;
    return connectedView(sessions.accountOf(id) ?? sessions.storeAccount({ id, canCharge: false }));
  });
  const CreateLinkInput = z.object({ returnUrl: returnUrl() });
  app.post('/accounts/:id/links', { schema: { body: CreateLinkInput } }, async (request) => {
    const account = sessions.accountOf((request.params as { id: string }).id);
    if (!account) throw notFound();
    const query = new URLSearchParams({ returnUrl: request.body.returnUrl });
    return { url: `${publicUrl}/accounts/${account.id}/setup?${query}` };
  });
  app.get('/sessions/:id', async (request) => view(sessionOf(request)));
  app.post('/sessions/:id/expire', async (request) => view(sessions.expire(sessionOf(request))));

  const ListTransactions = z.object({
    from: z.coerce.date(),
    before: z.coerce.date(),
    after: z.string().max(200).optional(),
    limit: z.coerce.number().int().min(1).max(100).default(100),
  });
  app.get(
    '/balance-transactions',
    { schema: { querystring: ListTransactions } },
    async ({ query: { after, ...query }, headers }) => {
      const options = { ...query, ...(after !== undefined && { after }) };
      const page = sessions.transactionsOf(ownerOf(headers), options);
      const items = page.transactions.map(
        ({ accountKey: _, connected: __, ...transaction }) => transaction,
      );
      return { items, hasMore: page.hasMore };
    },
  );

  const CreateRefundInput = z.object({
    refundId: z.string().min(1).max(200),
    idempotencyKey: z.string().min(1).max(200).optional(),
    paymentId: z.string().min(1).max(200),
    amount: z.int().min(1),
  });
  // Like Stripe, the sandbox repeats its first response to a key, also a refusal.
  const refusedKeys = new Set<string>();
  app.post('/refunds', { schema: { body: CreateRefundInput } }, async ({ body, headers }) => {
    const { refundId, idempotencyKey = refundId, paymentId, amount } = body;
    const session = sessions.paymentOf(paymentId);
    if (session && !isOwn(session, headers)) throw notFound();
    const existing = sessions.refundOf(refundId);
    if (existing) return existing;
    const isRefused = refusedKeys.has(idempotencyKey);
    if (isRefused || !session || amount > sessions.leftOf(session)) {
      refusedKeys.add(idempotencyKey);
      if (!session) throw notFound();
      throw preconditionFailed('NOTHING_TO_REFUND');
    }
    const refund = sessions.refund({ refundId, paymentId, amount, fails: false });
    notifier.notify(session, [[refundNotification(session, refund, 'refund.created')]], 0);
    return refund;
  });
}

function pageRoutes(app: HttpServer, deps: SandboxDeps): void {
  const { sessions, notifier, publicUrl, now } = deps;
  app.removeAllContentTypeParsers();
  // For forms and scripts: no action needs a body.
  app.addContentTypeParser('*', { parseAs: 'buffer', bodyLimit: 4096 }, (_request, _body, done) =>
    done(null, undefined),
  );
  const find = (request: FastifyRequest) =>
    sessions.find((request.params as { id: string }).id, now());
  const html = (reply: FastifyReply, code: number, text: string) =>
    reply
      .code(code)
      .headers({
        'content-type': 'text/html; charset=utf-8',
        'content-security-policy': contentSecurityPolicy,
        'referrer-policy': 'no-referrer',
        'x-content-type-options': 'nosniff',
        'cache-control': 'no-store',
      })
      .serializer(String)
      .send(text);
  const actionOf = (session: Session) =>
    `${new URL(publicUrl).pathname.replace(/\/$/, '')}/pay/${session.id}`;
  const closed = (reply: FastifyReply, session: Session) =>
    html(
      reply,
      200,
      closedPage(session, {
        left: sessions.leftOf(session),
        action: actionOf(session),
        dispute: sessions.disputeOf(session) ?? null,
      }),
    );
  const isForm = ({ headers }: FastifyRequest) => (headers.accept ?? '').includes('text/html');
  const missing = (request: FastifyRequest, reply: FastifyReply) => {
    if (isForm(request)) return html(reply, 404, closedPage(null));
    throw notFound();
  };
  app.setErrorHandler((error, request, reply) => {
    if (!isForm(request)) return errorHandler(error, request, reply);
    const { code, message } = toApiError(error);
    if (code === 500) request.log.error({ err: error }, 'unhandled error');
    return html(reply, code, errorPage(code, message));
  });

  app.get(
    '/accounts/:id/setup',
    { schema: { querystring: SetupQuery } },
    async (request, reply) => {
      const account = sessions.accountOf((request.params as { id: string }).id);
      return html(
        reply,
        account ? 200 : 404,
        accountPage(account ?? null, request.query.returnUrl),
      );
    },
  );

  app.post(
    '/accounts/:id/setup',
    { schema: { querystring: SetupQuery } },
    async (request, reply) => {
      const { returnUrl, canCharge } = request.query;
      const existing = sessions.accountOf((request.params as { id: string }).id);
      if (!existing) {
        if (isForm(request)) return html(reply, 404, accountPage(null, returnUrl));
        throw notFound();
      }
      const account = sessions.storeAccount({ ...existing, canCharge: canCharge === '1' });
      const subject = { connected: account.id, attemptId: account.id };
      notifier.notify(subject, [[accountNotification()]], 0);
      if (isForm(request)) return reply.code(303).header('location', returnUrl).send();
      return account;
    },
  );

  app.get('/pay/:id', async (request, reply) => {
    const session = find(request);
    if (!session) return html(reply, 404, closedPage(null));
    if (session.state !== 'open') return closed(reply, session);
    return html(reply, 200, paymentPage(session, actionOf(session), null));
  });

  app.post('/pay/:id/pay', { schema: { querystring: Switches } }, async (request, reply) => {
    const session = find(request);
    if (!session) return missing(request, reply);
    const { late, notify, delayMs } = request.query;
    if (session.state === 'open' || (session.state === 'expired' && late === '1')) {
      const { amount = session.amount, currency = session.currency } = request.query;
      const paid = sessions.pay(session, { amount, currency });
      const series = notificationsBySwitch[notify].map((types) =>
        types.map((type) => sessionNotification(paid, type)),
      );
      notifier.notify(paid, series, delayMs);
    }
    const latest = find(request) ?? session;
    if (latest.state !== 'paid') {
      if (isForm(request)) return html(reply, 412, closedPage(latest));
      throw sessionEnded();
    }
    if (isForm(request)) {
      // A header with an unencoded URL would be an error.
      const location = URL.parse(latest.successUrl)?.href;
      if (!location) return html(reply, 200, closedPage(latest));
      return reply.code(303).header('location', location).send();
    }
    return { state: latest.state, successUrl: latest.successUrl, paymentId: latest.paymentId };
  });

  app.post(
    '/pay/:id/refund',
    { schema: { querystring: RefundSwitches } },
    async (request, reply) => {
      const session = find(request);
      if (!session) return missing(request, reply);
      const { amount = sessions.leftOf(session), notify, delayMs } = request.query;
      const fails = request.query.fails === '1';
      const { paymentId } = session;
      if (paymentId === null || amount === 0 || amount > sessions.leftOf(session)) {
        throw preconditionFailed('NOTHING_TO_REFUND');
      }
      const refund = sessions.refund({ refundId: null, paymentId, amount, fails });
      const types = refundTypesBySwitch[notify](fails);
      notifier.notify(
        session,
        types.map((series) => series.map((type) => refundNotification(session, refund, type))),
        delayMs,
      );
      if (isForm(request)) return closed(reply, session);
      return { id: refund.id, amount };
    },
  );

  app.post(
    '/pay/:id/dispute',
    { schema: { querystring: DisputeSwitches } },
    async (request, reply) => {
      const session = find(request);
      if (!session) return missing(request, reply);
      const { paymentId, receivedAmount } = session;
      if (paymentId === null) throw preconditionFailed('NOTHING_TO_REFUND');
      const { status, notify, delayMs, amount } = request.query;
      const at = now();
      const before = sessions.disputeOf(session);
      const dispute = sessions.dispute({
        ...(before ?? {
          createdAt: at.toISOString(),
          respondBy: new Date(at.getTime() + responseDays * 86_400_000).toISOString(),
        }),
        paymentId,
        amount: amount ?? before?.amount ?? receivedAmount ?? 0,
        status,
      });
      const series = { once: 1, twice: 2, never: 0 }[notify];
      const each = () => [disputeNotification(session, dispute, at)];
      notifier.notify(session, Array.from({ length: series }, each), delayMs);
      if (isForm(request)) return closed(reply, session);
      return { id: dispute.id, amount: dispute.amount, status };
    },
  );

  app.post('/pay/:id/decline', async (request, reply) => {
    const session = find(request);
    if (session?.state === 'open') {
      notifier.notify(session, [[sessionNotification(session, 'session.declined')]], 0);
    }
    if (!isForm(request)) return { state: session?.state ?? 'unknown', declined: true };
    if (!session) return html(reply, 404, closedPage(null));
    if (session.state !== 'open') return html(reply, 200, closedPage(session));
    const note = 'The card was declined. Nothing was taken; try another one.';
    return html(reply, 200, paymentPage(session, actionOf(session), note));
  });
}
