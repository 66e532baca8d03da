import type { Cell } from '@event-api/contracts/cells';
import * as operations from '@event-api/contracts/http/claims';
import { unknownClaimHeader } from '@event-api/contracts/internal/claims';
import { recordAudit } from '@event-api/platform/audit/write';
import { runAsActor } from '@event-api/platform/core/actor';
import { notFound } from '@event-api/platform/core/errors';
import { scopeOf } from '@event-api/platform/http/record-scope';
import type { HttpServer } from '@event-api/platform/http/server';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { type AssignDeps, assignSeat } from '../checkout/assign-seat.ts';
import { claimUnknown } from '../errors.ts';
import { currentSeatsOf, type OrderSeat } from '../orders/order-seats.rules.ts';
import { type OrderRow, readOrder, reloadOrder } from '../orders/orders.queries.ts';
import { type ClaimLinkRow, findUsableLink, revokeClaimLink } from './claim-links.queries.ts';
import { coveredSeats } from './claim-links.rules.ts';
import { claimedSeatView, claimLinkView, claimView } from './claims.view.ts';
import { createLink } from './create-link.ts';
import { readOffer } from './offer.queries.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** The order in the path of a claim link. */
    linkedOrder: OrderRow;
    /** What the token of a request covers. */
    claim: { link: ClaimLinkRow; order: OrderRow; seats: OrderSeat[] };
    /** The seat in the path of a claim. */
    claimedSeat: OrderSeat;
  }
}

/** Claim links: the shop creates and revokes them with its key, and their tokens assign seats. */
export function claimRoutes(app: HttpServer, deps: AssignDeps & { cell: Cell }): void {
  const { db } = deps;
  app.decorateRequest('linkedOrder');
  app.decorateRequest('claim');
  app.decorateRequest('claimedSeat');

  /** Runs before body validation: an order of another business unit is always a 404. */
  const requireOrder = async (request: FastifyRequest) => {
    const { orderNumber } = request.params as { orderNumber: string };
    request.linkedOrder = await readOrder(db, scopeOf(request), orderNumber);
  };

  /** The gateway states the hash of the token as the key of its caller. Errors: 401. */
  const requireClaim = async (request: FastifyRequest, reply: FastifyReply) => {
    const link = await findUsableLink(db, request.caller.keyId);
    if (!link) {
      reply.header(unknownClaimHeader, 'true');
      throw claimUnknown();
    }
    const order = await reloadOrder(db, link.orderId);
    const seats = coveredSeats(currentSeatsOf(order), order.seats, link.seatId);
    request.claim = { link, order, seats };
  };

  app.route({
    ...operations.createClaimLink,
    onRequest: requireOrder,
    handler: async ({ linkedOrder, body }) => {
      const { link, token, url } = await createLink(deps, linkedOrder, body);
      return { ...claimLinkView(link), claimToken: token, claimUrl: url };
    },
  });

  app.route({
    ...operations.revokeClaimLink,
    onRequest: requireOrder,
    handler: async ({ linkedOrder, params }) => {
      const link = await db.transaction(async (tx) => {
        const revoked = await revokeClaimLink(tx, linkedOrder, params.claimLinkId);
        if (!revoked) throw notFound();
        recordAudit(tx, { records: [linkedOrder.id] });
        return revoked;
      });
      return claimLinkView(link);
    },
  });

  app.route({
    ...operations.getClaim,
    onRequest: requireClaim,
    handler: async ({ claim: { order, seats } }) => claimView(seats, await readOffer(db, order)),
  });

  app.route({
    ...operations.assignClaimedSeat,
    onRequest: async (request, reply) => {
      await requireClaim(request, reply);
      const { seatId } = request.params as { seatId: string };
      const seat = request.claim.seats.find(({ id }) => id === seatId);
      if (!seat) throw notFound();
      request.claimedSeat = seat;
    },
    handler: async ({ claim: { link, order }, claimedSeat, body }) => {
      const actor = { type: 'system', id: link.id } as const;
      const assigned = await runAsActor(actor, () => assignSeat(deps, order, claimedSeat, body));
      return claimedSeatView(assigned, currentSeatsOf(assigned), claimedSeat.id);
    },
  });
}
