import { randomBytes } from 'node:crypto';
import { appendFileSync, existsSync, readFileSync } from 'node:fs';
import type { DisputeStatus } from '@event-api/contracts/http/orders';
import { type Clock, systemClock } from '@event-api/platform/core/clock';
import { z } from 'zod';

/** A URL that the page links to, encoded so that it is valid in an HTTP header. */
export const returnUrl = () =>
  z
    .string()
    .max(2048)
    .transform((value, ctx) => {
      const url = URL.parse(value);
      if (url?.protocol === 'https:' || url?.protocol === 'http:') return url.href;
      ctx.issues.push({ code: 'custom', message: 'must be an http or https URL', input: value });
      return z.NEVER;
    });

/** Parameters of a session. */
export const CreateSessionInput = z.object({
  attemptId: z.string().min(1).max(200),
  orderId: z.string().min(1).max(200),
  orderNumber: z.string().min(1).max(200),
  amount: z.int().min(1).max(Number.MAX_SAFE_INTEGER),
  /** What the platform takes of it; shown to nobody. */
  feeAmount: z.int().min(0).optional(),
  currency: z.string().regex(/^[A-Z]{3}$/),
  email: z.string().max(300),
  title: z.string().max(300),
  successUrl: returnUrl(),
  cancelUrl: returnUrl(),
  expiresAt: z.iso.datetime(),
  /** Notifications go to the path of this business unit, signed with the key of its account. */
  businessUnitId: z.string().min(1).max(200).optional(),
});

export type Session = z.infer<typeof CreateSessionInput> & {
  id: string;
  state: 'open' | 'paid' | 'expired';
  paymentId: string | null;
  /** The received amount, which a switch of the page can change. */
  receivedAmount: number | null;
  receivedCurrency: string | null;
  /** The secret key of an account of its own; left out for that of the platform. */
  accountKey?: string | undefined;
  /** The id of an account that is connected to that of the platform. */
  connected?: string | undefined;
};

/** An account that is connected to that of the platform. */
export interface ConnectedAccount {
  id: string;
  canCharge: boolean;
}

export interface Refund {
  id: string;
  /** The id under which the platform has requested it; null for one made at this provider. */
  refundId: string | null;
  paymentId: string;
  amount: number;
  /** Whether it fails after it was made: the money stays with the merchant. */
  fails?: boolean;
}

/** A payment that the buyer's bank takes back. */
export interface Dispute {
  id: string;
  paymentId: string;
  amount: number;
  status: DisputeStatus;
  respondBy: string;
  createdAt: string;
}

/** A movement of money on an account. `objectId` is the payment, the refund or the dispute. */
export interface Transaction extends Pick<Session, 'accountKey' | 'connected'> {
  id: string;
  type: 'charge' | 'refund' | 'refund_returned' | 'dispute' | 'dispute_returned';
  objectId: string;
  paymentId: string;
  attemptId: string;
  amount: number;
  currency: string;
  createdAt: string;
}

type Entry =
  | { session: Session }
  | { refund: Refund }
  | { dispute: Dispute }
  | { account: ConnectedAccount }
  | { transaction: Transaction };

/** What a dispute takes of its payment. */
const takenBy = (dispute: Dispute | undefined): number =>
  dispute && dispute.status !== 'inquiry' && dispute.status !== 'won' ? dispute.amount : 0;

/**
 * Sessions, refunds, disputes, movements of money and connected accounts, in memory and in a file with one line per change: a restart loses
 * none.
 */
export function openSessions(file: string, clock: Clock = systemClock) {
  const sessions = new Map<string, Session>();
  const byAttempt = new Map<string, Session>();
  const refunds = new Map<string, Refund>();
  const disputes = new Map<string, Dispute>();
  const accounts = new Map<string, ConnectedAccount>();
  const transactions: Transaction[] = [];

  function apply(entry: Entry): void {
    if ('refund' in entry) refunds.set(entry.refund.refundId ?? entry.refund.id, entry.refund);
    else if ('dispute' in entry) disputes.set(entry.dispute.paymentId, entry.dispute);
    else if ('account' in entry) accounts.set(entry.account.id, entry.account);
    else if ('transaction' in entry) transactions.push(entry.transaction);
    else {
      sessions.set(entry.session.id, entry.session);
      byAttempt.set(entry.session.attemptId, entry.session);
    }
  }

  function write(entry: Entry): void {
    appendFileSync(file, `${JSON.stringify(entry)}\n`, { mode: 0o600, flush: true });
    apply(entry);
  }

  for (const line of existsSync(file) ? readFileSync(file, 'utf8').split('\n') : []) {
    try {
      if (line !== '') apply(JSON.parse(line) as Entry);
    } catch {
      // An incomplete last line: the process was killed while it wrote, and sent no response.
    }
  }

  const paymentOf = (paymentId: string): Session | undefined =>
    [...sessions.values()].find((session) => session.paymentId === paymentId);

  function move(
    session: Session | undefined,
    moved: Pick<Transaction, 'type' | 'objectId' | 'amount'>,
  ): void {
    const { receivedCurrency, paymentId, attemptId, accountKey, connected } = session ?? {};
    const transaction: Transaction = {
      ...{ id: `txn_${randomBytes(12).toString('hex')}`, ...moved },
      ...{ paymentId: paymentId ?? '', attemptId: attemptId ?? '' },
      currency: receivedCurrency ?? '',
      createdAt: clock.now().toISOString(),
      ...(accountKey !== undefined && { accountKey }),
      ...(connected !== undefined && { connected }),
    };
    write({ transaction });
  }

  const isExpired = ({ expiresAt }: Session, now: Date) => Date.parse(expiresAt) <= now.getTime();

  return {
    /** Creates the session of an attempt. A retry returns the existing one. */
    create(
      input: z.infer<typeof CreateSessionInput>,
      owner: Pick<Session, 'accountKey' | 'connected'> = {},
    ): Session {
      const existing = byAttempt.get(input.attemptId);
      if (existing) return existing;
      const id = `cs_${randomBytes(16).toString('hex')}`;
      const session: Session = {
        ...input,
        ...owner,
        id,
        state: 'open',
        paymentId: null,
        receivedAmount: null,
        receivedCurrency: null,
      };
      write({ session });
      return session;
    },
    /** Returns a session in its current state: an open one past its expiry is expired. */
    find(id: string, now: Date): Session | null {
      const session = sessions.get(id);
      if (!session) return null;
      if (session.state === 'open' && isExpired(session, now))
        return { ...session, state: 'expired' };
      return session;
    },
    /** Records the payment of a session. */
    pay(session: Session, received: { amount: number; currency: string }): Session {
      const paid: Session = {
        ...session,
        state: 'paid',
        paymentId: `pi_${randomBytes(12).toString('hex')}`,
        receivedAmount: received.amount,
        receivedCurrency: received.currency,
      };
      write({ session: paid });
      const objectId = paid.paymentId ?? '';
      move(paid, { type: 'charge', objectId, amount: received.amount });
      return paid;
    },
    /** Expires a session, so that it can no longer be paid. A paid session stays paid. */
    expire(session: Session): Session {
      if (session.state === 'paid') return session;
      const expired: Session = { ...session, state: 'expired' };
      write({ session: expired });
      return expired;
    },
    accountOf: (id: string): ConnectedAccount | undefined => accounts.get(id),
    /** Stores a connected account, or whether it can be charged. */
    storeAccount(account: ConnectedAccount): ConnectedAccount {
      write({ account });
      return account;
    },
    paymentOf,
    /** The refund that the platform has requested under this id. */
    refundOf: (refundId: string): Refund | undefined => refunds.get(refundId),
    /** The latest dispute of a payment. */
    disputeOf: ({ paymentId }: Session): Dispute | undefined => disputes.get(paymentId ?? ''),
    /** Opens a dispute of a payment, or stores another status of it. */
    dispute(dispute: Omit<Dispute, 'id'> & { id?: string }): Dispute {
      const stored: Dispute = {
        ...dispute,
        id: dispute.id ?? `dp_${randomBytes(12).toString('hex')}`,
      };
      const taken = takenBy(stored) - takenBy(disputes.get(stored.paymentId));
      write({ dispute: stored });
      const type = taken > 0 ? 'dispute' : 'dispute_returned';
      if (taken !== 0) {
        move(paymentOf(stored.paymentId), { type, objectId: stored.id, amount: Math.abs(taken) });
      }
      return stored;
    },
    /** What is left of a payment after its refunds, and without what a dispute has taken. */
    leftOf({ paymentId, receivedAmount }: Session): number {
      const left = [...refunds.values()]
        .filter((refund) => refund.paymentId === paymentId && !refund.fails)
        .reduce((left, { amount }) => left - amount, receivedAmount ?? 0);
      return Math.max(0, left - takenBy(disputes.get(paymentId ?? '')));
    },
    /** Refunds a payment. The caller compares the amount with what is left. */
    refund(input: Omit<Refund, 'id'>): Refund {
      const refund: Refund = { ...input, id: `re_${randomBytes(12).toString('hex')}` };
      write({ refund });
      const { id: objectId, paymentId, amount } = refund;
      const session = paymentOf(paymentId);
      move(session, { type: 'refund', objectId, amount });
      if (refund.fails) move(session, { type: 'refund_returned', objectId, amount });
      return refund;
    },
    /** The movements of an account, newest first, after one of them. */
    transactionsOf(
      owner: Pick<Session, 'accountKey' | 'connected'>,
      { from, before, after, limit }: { from: Date; before: Date; after?: string; limit: number },
    ): { transactions: Transaction[]; hasMore: boolean } {
      const ofAccount = transactions
        .filter(({ accountKey }) => accountKey === owner.accountKey)
        .filter(({ connected }) => connected === owner.connected)
        .filter(
          ({ createdAt }) => createdAt >= from.toISOString() && createdAt < before.toISOString(),
        )
        .toReversed();
      const start = ofAccount.findIndex(({ id }) => id === after) + 1;
      const page = ofAccount.slice(start, start + limit);
      return { transactions: page, hasMore: ofAccount.length > start + limit };
    },
  };
}

export type Sessions = ReturnType<typeof openSessions>;
