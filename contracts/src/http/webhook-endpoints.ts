import { z } from 'zod';
import { changeTypes } from '../changes.ts';
import { operation } from '../operation.ts';
import {
  id,
  ListQuery,
  listOf,
  nullIsAbsent,
  requireField,
  statusFilter,
  text,
  timestampOut,
} from './fields.ts';

export const endpointStatuses = ['pending', 'enabled', 'disabled'] as const;
export type EndpointStatus = (typeof endpointStatuses)[number];

/** Why an endpoint is disabled. */
export const disabledReasons = ['requested', 'ping_failed', 'failing', 'gone'] as const;
export type DisabledReason = (typeof disabledReasons)[number];

/** The results of an attempt. `failed` is the last one: the delivery is given up. */
export const deliveryResults = ['delivered', 'retrying', 'failed'] as const;
export type DeliveryResult = (typeof deliveryResults)[number];

/** The most endpoints of a business unit that are not disabled. */
export const maxEndpoints = 20;

const sequence = () => z.int().min(1).max(Number.MAX_SAFE_INTEGER);

export const WebhookReplay = z
  .object({
    id: id('rpl'),
    from: z.int().meta({ example: 1200 }),
    to: z.int().meta({ example: 1204 }),
    createdAt: timestampOut(),
  })
  .meta({ id: 'WebhookReplay', description: 'A replay that is running.' });

export const WebhookEndpoint = z
  .object({
    id: id('whe'),
    url: z.string().meta({ example: 'https://shop.example/webhooks' }),
    types: z
      .array(z.enum(changeTypes))
      .nullable()
      .meta({
        description: 'The types of changes that are delivered. Null means all.',
        example: ['order.paid', 'order.refunded'],
      }),
    status: z.enum(endpointStatuses).meta({
      description:
        '`pending` until the endpoint has acknowledged a ping; nothing else is sent before. `enabled`: changes are delivered. `disabled`: nothing is sent.',
      example: 'enabled',
    }),
    disabledReason: z.enum(disabledReasons).nullable().meta({
      description:
        '`requested` by a request; `ping_failed`: no ping was acknowledged for one hour; `failing`: every attempt has failed for five days; `gone`: the endpoint has responded with 410. Null unless it is disabled.',
      example: null,
    }),
    publicKey: z.string().meta({
      description: 'Verifies the `v1a` signatures (Ed25519).',
      example: 'whpk_11qYAYKxCrfVS/7TyWQHOg7hcvPapiMlrwIaaPcHURo=',
    }),
    watermark: z.int().meta({
      description:
        'Every change of its types up to this `sequence` of the feed was acknowledged or given up.',
      example: 1204,
    }),
    failingSince: timestampOut().nullable().meta({
      description: 'The first failure since the last success; null after a success.',
      example: null,
    }),
    replay: WebhookReplay.nullable().meta({ description: 'The replay that is running, if any.' }),
    createdAt: timestampOut(),
    updatedAt: timestampOut(),
  })
  .meta({ id: 'WebhookEndpoint' });

export const WebhookEndpointWithSecret = WebhookEndpoint.extend({
  secret: z.string().meta({
    description: 'Verifies the `v1` signatures (HMAC-SHA256). No other response contains it.',
    example: 'whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oDazfIqySFTb4=',
  }),
}).meta({ id: 'WebhookEndpointWithSecret' });

const endpointUrl = () =>
  text({ min: 1, max: 2000 }).meta({
    description:
      'HTTPS on port 443 or 8443, without user name, password and fragment. It must resolve to a public address.',
    example: 'https://shop.example/webhooks',
  });

const types = () =>
  z
    .array(z.enum(changeTypes))
    .min(1)
    .max(changeTypes.length)
    .transform((list) => [...new Set(list)])
    .meta({
      description: 'Only changes of these types. Null means all.',
      example: ['order.paid', 'order.refunded'],
    });

export const CreateWebhookEndpoint = z
  .object({ url: endpointUrl(), types: types().nullable().default(null) })
  .meta({ id: 'CreateWebhookEndpoint' });

export const UpdateWebhookEndpoint = z
  .object({
    url: endpointUrl().optional().meta({
      description: 'A new URL makes an enabled endpoint `pending` until it acknowledges a ping.',
      example: 'https://shop.example/webhooks',
    }),
    types: types().nullable().optional(),
    status: z.enum(endpointStatuses).optional().meta({
      description:
        '`disabled` or `enabled`. A disabled endpoint that is enabled is `pending` until it acknowledges a ping. It then continues after its `watermark`. `pending` changes nothing.',
      example: 'enabled',
    }),
    resumeFrom: z.literal('now').optional().meta({
      description:
        'Only with `status: enabled`: continue with the next change instead, and skip those since the `watermark`. It has no effect on an endpoint that is enabled already.',
    }),
  })
  .check((ctx) => {
    if (ctx.value.resumeFrom === undefined || ctx.value.status === 'enabled') return;
    const message = 'can only be sent with status enabled';
    ctx.issues.push({ code: 'custom', message, path: ['resumeFrom'], input: ctx.value.resumeFrom });
  })
  .meta({ id: 'UpdateWebhookEndpoint' });

export const ReplayChanges = z
  .object({
    from: nullIsAbsent(sequence()).meta({
      description: 'The `sequence` of the first change. Requires `to`.',
      example: 1200,
    }),
    to: nullIsAbsent(sequence()).meta({
      description: 'The `sequence` of the last change. Requires `from`.',
      example: 1204,
    }),
    changeId: nullIsAbsent(text({ min: 1, max: 200 })).meta({
      description: 'One change, instead of `from` and `to`.',
    }),
  })
  .check((ctx) => {
    const { from, to, changeId } = ctx.value;
    const report = (field: string, message: string) =>
      ctx.issues.push({ code: 'custom', message, path: [field], input: ctx.value });
    if (changeId !== undefined) {
      if (from !== undefined) report('from', 'cannot be sent with changeId');
      if (to !== undefined) report('to', 'cannot be sent with changeId');
    } else if (from === undefined || to === undefined) {
      if (from === undefined) requireField(ctx, 'from', 'is required without changeId');
      if (to === undefined) requireField(ctx, 'to', 'is required without changeId');
    } else if (from > to) report('to', 'must not be below from');
  })
  .meta({ id: 'ReplayChanges' });

/** The most bytes of the body of a response that an attempt keeps. */
export const maxKeptBodyBytes = 1024;

export const WebhookDelivery = z
  .object({
    id: z.string().meta({ description: 'The id of the attempt.', example: 'whd_48213' }),
    changeId: z.string().meta({
      description: 'The change, or the ping: the `webhook-id` of the request.',
      example: 'chg_01k8zq4m3ne7rbj5t2xw9vd6ah',
    }),
    sequence: z.int().nullable().meta({ description: 'Null for a ping.', example: 1204 }),
    type: z.string().meta({ example: 'order.paid' }),
    attempt: z.int().meta({ description: 'Counts the attempts of the delivery.', example: 1 }),
    isReplay: z.boolean(),
    result: z.enum(deliveryResults).meta({
      description:
        '`delivered`: the endpoint has responded with 2xx. `retrying`: another attempt follows. `failed`: the delivery is given up.',
    }),
    responseStatus: z
      .int()
      .nullable()
      .meta({ description: 'The status of the response; null without one.', example: 200 }),
    reason: z.string().nullable().meta({
      description: 'Why the attempt has failed; null after a success.',
      example: 'timeout',
    }),
    durationMs: z.int().meta({ example: 42 }),
    attemptedAt: timestampOut(),
  })
  .meta({ id: 'WebhookDelivery' });

export const WebhookDeliveryDetail = WebhookDelivery.extend({
  request: z.object({
    url: z.string().meta({
      description: 'The URL of the endpoint at the time of the attempt.',
      example: 'https://shop.example/webhooks',
    }),
    headers: z.record(z.string(), z.string()).meta({
      description: 'The headers, without `webhook-signature`.',
      example: {
        'content-type': 'application/json',
        'user-agent': 'event-api-webhooks/1',
        'webhook-id': 'chg_01k8zq4m3ne7rbj5t2xw9vd6ah',
        'webhook-timestamp': '1809932400',
        'webhook-cursor':
          'MS5mMWM4YjFiNi0yZjBlLTRhNTUtOGQ0YS0wZDhjN2UwZjlmMTEuMTIwMy45Zjg2ZDA4MTg4NGM3ZDY1',
      },
    }),
    body: z.string().nullable().meta({
      description:
        'The text that was sent: the entry of the feed, or the ping. Null if the feed does not keep the change any more.',
      example: '{"id":"chg_01k8zq4m3ne7rbj5t2xw9vd6ah","sequence":1204,"type":"order.paid"}',
    }),
  }),
  responseContentType: z.string().nullable().meta({
    description: 'The `content-type` of the response, at most 100 bytes; null without one.',
    example: 'text/plain',
  }),
  responseBody: z
    .string()
    .nullable()
    .meta({
      description: `The first ${maxKeptBodyBytes} bytes of the response, as text: bytes that are not UTF-8 are replaced, and NUL is removed. It is the text of the endpoint: never treat it as HTML. Null without a response.`,
      example: 'ok',
    }),
}).meta({ id: 'WebhookDeliveryDetail' });

const config = { tag: 'Webhooks', owner: 'changes', audience: 'api' } as const;
const EndpointPath = z.object({ endpointId: id('whe') });
const endpointUrlPath = '/v1/webhook-endpoints/:endpointId';

export const listWebhookEndpoints = operation({
  method: 'GET',
  url: '/v1/webhook-endpoints',
  config: {
    ...config,
    operationId: 'listWebhookEndpoints',
    permission: 'webhooks',
    summary: 'List webhook endpoints',
    description: 'Newest first.',
  },
  schema: {
    querystring: ListQuery.extend({ status: statusFilter(endpointStatuses) }),
    response: { 200: listOf('webhookEndpoints', WebhookEndpoint) },
  },
});

export const createWebhookEndpoint = operation({
  method: 'POST',
  url: '/v1/webhook-endpoints',
  config: {
    ...config,
    operationId: 'createWebhookEndpoint',
    recordId: 'WebhookEndpoint',
    newRecord: { status: 'pending', disabledReason: null, failingSince: null, replay: null },
    permission: 'webhooks',
    summary: 'Create a webhook endpoint',
    description: `It is \`pending\` until it acknowledges a ping, and then gets every change after its creation. Keep the \`secret\`: only this response and that of a rotation contain one. A business unit has at most ${maxEndpoints} endpoints that are not disabled.`,
    preconditions: ['TOO_MANY_ENDPOINTS'],
  },
  schema: {
    body: CreateWebhookEndpoint,
    response: { 201: WebhookEndpointWithSecret },
  },
});

export const getWebhookEndpoint = operation({
  method: 'GET',
  url: endpointUrlPath,
  config: {
    ...config,
    operationId: 'getWebhookEndpoint',
    permission: 'webhooks',
    summary: 'Read one webhook endpoint',
  },
  schema: { params: EndpointPath, response: { 200: WebhookEndpoint } },
});

export const updateWebhookEndpoint = operation({
  method: 'PATCH',
  url: endpointUrlPath,
  config: {
    ...config,
    operationId: 'updateWebhookEndpoint',
    derived: ['watermark', 'failingSince', 'replay', 'updatedAt'],
    permission: 'webhooks',
    summary: 'Change, disable or enable a webhook endpoint',
    description:
      'Fields left out stay. An endpoint is never deleted: disable it. A disabled endpoint gets no requests and does not count towards the limit.',
    preconditions: ['TOO_MANY_ENDPOINTS', 'CHANGE_EXPIRED'],
  },
  schema: {
    params: EndpointPath,
    body: UpdateWebhookEndpoint,
    response: { 200: WebhookEndpoint },
  },
});

export const rotateWebhookSecret = operation({
  method: 'POST',
  url: `${endpointUrlPath}/rotate-secret`,
  config: {
    ...config,
    operationId: 'rotateWebhookSecret',
    recordId: 'WebhookEndpoint',
    sets: ['secret', 'publicKey'],
    permission: 'webhooks',
    summary: 'Replace the secret of a webhook endpoint',
    description:
      'The response contains the new secret. For 24 hours each delivery has a signature of the new secret and of the replaced one. The public key stays.',
  },
  schema: { params: EndpointPath, response: { 200: WebhookEndpointWithSecret } },
});

export const testWebhookEndpoint = operation({
  method: 'POST',
  url: `${endpointUrlPath}/test`,
  config: {
    ...config,
    operationId: 'testWebhookEndpoint',
    permission: 'webhooks',
    summary: 'Send a ping to a webhook endpoint',
    description:
      'The ping is sent after the response; its result is in the deliveries under `changeId`. An endpoint that is `pending` becomes `enabled` when it acknowledges the ping. The status of an enabled one does not change.',
    preconditions: ['ENDPOINT_DISABLED'],
  },
  schema: {
    params: EndpointPath,
    response: {
      200: z.object({
        changeId: z.string().meta({
          description: 'The `webhook-id` of the ping.',
          example: 'png_01k8zq4m3ne7rbj5t2xw9vd6ah',
        }),
      }),
    },
  },
});

export const replayChanges = operation({
  method: 'POST',
  url: `${endpointUrlPath}/replay`,
  config: {
    ...config,
    operationId: 'replayWebhookChanges',
    sets: ['replay'],
    permission: 'webhooks',
    summary: 'Deliver changes again',
    description:
      'Delivers those of the changes that fit its `types` again, with the same `webhook-id` and a new timestamp. Replayed changes have no order relative to new ones, and the `watermark` does not move. One replay of an endpoint runs at a time: another one is a 409 `ABORTED`.',
    preconditions: ['ENDPOINT_DISABLED', 'CHANGE_EXPIRED'],
  },
  schema: {
    params: EndpointPath,
    body: ReplayChanges,
    response: { 200: WebhookReplay },
  },
});

export const listWebhookDeliveries = operation({
  method: 'GET',
  url: `${endpointUrlPath}/deliveries`,
  config: {
    ...config,
    operationId: 'listWebhookDeliveries',
    permission: 'webhooks',
    summary: 'List the attempts of deliveries',
    description: 'Newest first, for 30 days.',
  },
  schema: {
    params: EndpointPath,
    querystring: ListQuery.extend({
      result: z
        .enum(deliveryResults)
        .optional()
        .meta({ description: 'Only attempts with this result.' }),
      changeId: text({ min: 1, max: 200 })
        .optional()
        .meta({ description: 'Only attempts to deliver this change or ping.' }),
    }),
    response: { 200: listOf('deliveries', WebhookDelivery) },
  },
});

export const getWebhookDelivery = operation({
  method: 'GET',
  url: `${endpointUrlPath}/deliveries/:deliveryId`,
  config: {
    ...config,
    operationId: 'getWebhookDelivery',
    permission: 'webhooks',
    summary: 'Read one attempt of a delivery',
    description: 'With its request and the beginning of the response.',
  },
  schema: {
    params: EndpointPath.extend({ deliveryId: WebhookDelivery.shape.id }),
    response: { 200: WebhookDeliveryDetail },
  },
});
