import { z } from 'zod';
import { credentialPatternOf } from '../cells.ts';
import { operation } from '../operation.ts';
import { AssignSeat, OrderNumberPath } from './checkout.ts';
import { id, nullIsAbsent, text, timestampOut } from './fields.ts';
import { formQuestionsOut } from './forms.ts';
import { seatStatuses } from './orders.ts';
import { registrationStatuses } from './registrations.ts';

export const claimTokenPrefix = 'ct_live_';

/** The token of a claim link, of any cell. Its only group is the name of the cell. */
export const claimTokenPattern = credentialPatternOf([claimTokenPrefix]);

/** The requests per minute that the gateway accepts without a key. */
export const claimLimits = {
  token: 60,
  /** The people of a company often share one address. */
  address: 300,
} as const;

const seatExample = 'seat_01k8zq4m3ne7rbj5t2xw9vd6ah_1';

const ClaimLinkFields = z.object({
  id: id('clm'),
  orderId: id('ord'),
  seatId: z.string().nullable().meta({
    description: 'The seat that the link assigns; null for all seats sold without an attendee.',
    example: seatExample,
  }),
  createdAt: timestampOut(),
  revokedAt: timestampOut().nullable().meta({ example: null }),
});

export const ClaimLink = ClaimLinkFields.meta({ id: 'ClaimLink' });

const NewClaimLink = z
  .object({
    ...ClaimLinkFields.shape,
    claimToken: z.string().nullable().meta({
      description:
        'Whoever has it can assign the seats. Only this response shows it; null in a replay of the response.',
      example: 'ct_live_00000000000000000000000000000000',
    }),
    claimUrl: z.string().nullable().meta({
      description: '`pageUrl` with the token as its fragment; null without `pageUrl`.',
      example: 'https://tickets.example.com/seats#ct_live_00000000000000000000000000000000',
    }),
  })
  .meta({ id: 'NewClaimLink' });

const CreateClaimLink = z
  .object({
    seatId: nullIsAbsent(text({ min: 1, max: 200 })).meta({
      description: 'An open seat of the order. Without it the link is for all of them.',
      example: seatExample,
    }),
    pageUrl: nullIsAbsent(text({ min: 1, max: 2048 })).meta({
      description:
        'Your page that reads the token from its fragment: https, or http on localhost, without a fragment. ' +
        '`{ORDER_NUMBER}` is replaced.',
      example: 'https://tickets.example.com/seats',
    }),
  })
  .meta({ id: 'CreateClaimLink' });

const seller = { tag: 'Claim links', owner: 'commerce', audience: 'api' } as const;

export const createClaimLink = operation({
  method: 'POST',
  url: '/v1/events/:eventId/orders/:orderNumber/claim-links',
  config: {
    ...seller,
    operationId: 'createClaimLink',
    permission: 'orders.place',
    secretInResponse: ['claimToken', 'claimUrl'],
    summary: 'Create a claim link',
    description:
      'Returns a token with which a buyer names attendees without a key. It revokes the former link of the same seat, or of the ' +
      'whole order. The order need not be paid yet. `SEAT_NOT_OPEN`: nothing is left to assign.',
    preconditions: ['SEAT_NOT_OPEN'],
  },
  schema: { params: OrderNumberPath, body: CreateClaimLink, response: { 200: NewClaimLink } },
});

export const revokeClaimLink = operation({
  method: 'POST',
  url: '/v1/events/:eventId/orders/:orderNumber/claim-links/:claimLinkId/revoke',
  config: {
    ...seller,
    operationId: 'revokeClaimLink',
    permission: 'orders.place',
    summary: 'Revoke a claim link',
    description:
      'Its token is a 401 from now on; seats that it has assigned stay assigned. A revoked link stays as it is.',
  },
  schema: {
    params: OrderNumberPath.extend({
      claimLinkId: z.string().meta({ description: 'The id of the link', ...id('clm').meta() }),
    }),
    response: { 200: ClaimLink },
  },
});

const ticketTypeName = z.string().nullable().meta({
  description: 'The name of its ticket type; null unless the seat is open.',
  example: 'Early Bird',
});

const ClaimableSeat = z.object({
  id: z.string().meta({ example: seatExample }),
  status: z.enum(seatStatuses).meta({
    description: 'An `open` seat can be assigned once its order is paid.',
    example: 'open',
  }),
  ticketTypeName,
});

/** Why the open seats of an event cannot be assigned any more. */
export const claimClosedReasons = ['EVENT_CANCELLED', 'EVENT_ARCHIVED', 'EVENT_ENDED'] as const;
export type ClaimClosedReason = (typeof claimClosedReasons)[number];

export const Claim = z
  .object({
    eventName: z.string().meta({ example: 'Example Summit' }),
    closedReason: z.enum(claimClosedReasons).nullable().meta({
      description:
        'Why no seat can be assigned any more, also one that is `open`: the reason of the 412 of an assignment. Null while the event takes place.',
      example: null,
    }),
    seats: z.array(ClaimableSeat).meta({ description: 'The seats that the token covers.' }),
    questions: formQuestionsOut(),
  })
  .meta({ id: 'Claim' });

const claimant = { ...seller, permission: 'claim' } as const;

const withToken =
  'Send the token of a claim link as the bearer. A token that is unknown or revoked is a 401. The token is never in the ' +
  `path, because proxies log paths. Pages of every origin may send it from a browser. A token has ${claimLimits.token} requests per minute, an address ${claimLimits.address}.`;

export const getClaim = operation({
  method: 'GET',
  url: '/v1/claims',
  config: {
    ...claimant,
    operationId: 'getClaim',
    summary: 'Read the seats of a claim link',
    description: `${withToken} The response has nothing of the buyer, and nothing of the person who has a seat but that it is \`assigned\`.`,
  },
  schema: { response: { 200: Claim } },
});

export const assignClaimedSeat = operation({
  method: 'POST',
  url: '/v1/claims/:seatId/assign',
  config: {
    ...claimant,
    operationId: 'assignClaimedSeat',
    isOnce: true,
    summary: 'Assign a seat with a claim link',
    description:
      'Registers a person on an open seat, as `assignSeat` does. Send the token of the claim link as the bearer. A seat that ' +
      'the token does not cover is a 404. To repeat the request is safe: it returns the same. With another name or other responses it changes nothing and is a 412 `SEAT_NOT_OPEN`. The response has no badge code: ' +
      'people can share a link, and whoever knows the email of another one could repeat the request.',
    preconditions: [
      'EVENT_ARCHIVED',
      'EVENT_CANCELLED',
      'EVENT_ENDED',
      'SEAT_NOT_OPEN',
      'ATTENDEE_REGISTERED',
    ],
  },
  schema: {
    params: z.object({
      seatId: z.string().meta({ description: 'The id of the seat', example: seatExample }),
    }),
    body: AssignSeat,
    response: {
      200: z
        .object({
          seatId: z.string().meta({ example: seatExample }),
          status: z.enum(seatStatuses).meta({ example: 'assigned' }),
          registrationId: id('reg'),
          registrationStatus: z.enum(registrationStatuses).meta({ example: 'confirmed' }),
        })
        .meta({ id: 'ClaimedSeat' }),
    },
  },
});
