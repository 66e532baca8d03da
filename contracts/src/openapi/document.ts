import {
  extendZodWithOpenApi,
  OpenAPIRegistry,
  OpenApiGeneratorV31,
  type RouteConfig,
} from '@asteasolutions/zod-to-openapi';
import { z } from 'zod';
import { type Cell, cellMark, nameOfCell } from '../cells.ts';
import {
  conflictMeanings,
  type ErrorCode,
  preconditionReasons,
  statusMeanings,
  statusWords,
  timeoutMeanings,
} from '../errors.ts';
import { ErrorEnvelope } from '../http/envelope.ts';
import type { Operation } from '../operation.ts';
import { credentialPrefixes } from '../operator/keys.ts';
import { type Permission, permissionHolders, permissionsOfDevice } from '../permissions.ts';
import { currentVersion } from '../version.ts';
import { errorExample, requestExample, responseExample, typicalExample } from './examples.ts';
import { headerComponents, type LocationPresence, successHeaders } from './response-headers.ts';
import { shareComponents } from './shared-components.ts';
import { tagDescriptions } from './tags.ts';

extendZodWithOpenApi(z);

const descriptionOf = (
  keyStart: string,
): string => `Events, tickets, registrations and redemption codes behind one URL and a secret key.
**Start with the [guides](/docs/guides/)**: they say how to use the API, from the first request to the first sale.

Send the key of your business unit with every request: \`Authorization: Bearer ${keyStart}…\`.
The key sees the records of its unit; every other id is a 404.

- **Errors** have one envelope. \`error.status\` is a stable code, and \`error.details\` names the field or the rule.
- **Responses** have a \`Request-Id\`: quote it when you report a problem. \`Service-Version\` names the version that served the
  request. A 409, a 429 and a 503 can have \`Retry-After\`, the seconds to wait before a retry.
- **Fields** that neither the request nor the response of an operation has are a 400 \`unknown_field\`. A field that only
  the response has must have the value of the record, so you can send a record back; another value is a 400
  \`read_only_field\`, which names the operation that sets it. Counters, such as \`counts\` and \`remaining\`, may have an
  earlier value in a change. An unknown query parameter is a 400 \`unknown_parameter\`.
- **Ids** in a body that name no record are a 404 with the \`field\`; as entries of a list they are a 400 \`not_found\`, all
  at once.
- **Lists** return up to 1000 rows and a \`nextCursor\`; send it as \`cursor\` to get the next page.
- **Amounts** are integers in the currency's minor unit. **Times** are ISO 8601 with an offset; responses are in UTC.
- **Permissions**: an unrestricted key may call every operation. A restricted key has groups (\`read\`, \`sell\`, \`manage\`,
  \`doors\`), and each operation says which of them it needs; without one it is a 403.
- **Rate limit**: 120 requests per minute per key, and separately 600 check-ins. Use one key per purpose, such as shop,
  doors and synchronization: each has its own limits and can be revoked alone. All keys of a business unit together have five times these limits; a
  429 then says so, and the headers name \`default-unit\`. An operator of the platform raises the limits of a key with
  \`key.update\`; it no longer counts towards those of its unit. \`RateLimit\` says what is left, as in \`"default";r=119;t=42\` (119 requests within the next 42 seconds),
  \`RateLimit-Policy\` what a window allows, and \`X-RateLimit-Limit\`, \`-Remaining\` and \`-Reset\` the same as numbers.
- **Versions** are dates. A key keeps the version that was current when it was created; \`Service-Version\`
  overrides it for one request. Every response names the version that served it.
- **Retries** of a POST are safe with an \`Idempotency-Key\`. For 24 hours a repeated key returns the stored success, with
  \`Idempotent-Replayed: true\`, and has no second effect. A refusal is not stored: it changed nothing, so a retry is evaluated again. Bodies are compared as
  JSON values, so the order of fields does not matter; a different body with the same key is a 400.`;

/** How to get what this project provides. The page of the reference shows it as client libraries. */
const clientLibraries = [
  {
    lang: 'TypeScript',
    description:
      'One typed function per operation, with retries, webhooks and the change feed, for Node, Deno and Bun. ' +
      'The [quick start](/docs/guides/quick-start) uses it.',
    source: 'npm install "$EVENT_API_URL/docs/client.tgz"',
  },
  {
    lang: 'CLI',
    description:
      'The package of the TypeScript library contains it: a command for every operation, `listen` and `trigger` for ' +
      'webhooks on your computer, and `changes`. `npx event-api --help` lists all of them.',
    source: 'npx event-api login',
  },
  {
    lang: 'MCP server',
    description:
      'The API as tools for assistants, in `clients/mcp` of the repository. It reads only, unless it gets `--allow-writes`.',
    source: 'node clients/mcp/src/main.ts',
  },
] as const;

/** Whether a retry with the same `Idempotency-Key` has no second effect. */
const acceptsIdempotencyKey = ({ method, config }: Pick<Operation, 'method' | 'config'>): boolean =>
  method === 'POST' && !config.isOnce;

/** Every error status that an operation can return, in ascending order. */
export function errorCodesOf({ method, url, config }: Operation): ErrorCode[] {
  const codes = new Set<ErrorCode>([
    400,
    401,
    403,
    405,
    408,
    417,
    429,
    431,
    500,
    503,
    504,
    ...(config.errors ?? []),
  ]);
  if (url.includes('/:')) codes.add(404);
  if (method !== 'GET') for (const code of [413, 415] as const) codes.add(code);
  if (config.preconditions) codes.add(412);
  // The same request, by its `Idempotency-Key`, may still be running.
  if (acceptsIdempotencyKey({ method, config })) codes.add(409);
  return [...codes].sort((a, b) => a - b);
}

/** Where a document is served. */
export interface Place {
  cell: Cell;
  /** The public address of all cells. */
  publicUrl: string;
}

/**
 * The OpenAPI 3.1 document of these operations. Deterministic: the same input gives the same bytes.
 * In a cell it names the public address, because it can be read below the path of the cell.
 */
export function openApiDocument(
  operations: readonly Operation[],
  { cell, publicUrl }: Place = { cell: null, publicUrl: '/' },
): object {
  const keyStart = `${credentialPrefixes.key}${cellMark(cell)}`;
  const registry = new OpenAPIRegistry();
  const bearer = registry.registerComponent('securitySchemes', 'apiKey', {
    type: 'http',
    scheme: 'bearer',
    description: 'The secret of an API key. It is shown once, when an operator creates the key.',
  });
  for (const [name, header] of Object.entries(headerComponents)) {
    registry.registerComponent('headers', name, header);
  }
  for (const operation of operations) {
    registry.registerPath({ ...route(operation), security: [{ [bearer.name]: [] }] });
  }
  const generated = new OpenApiGeneratorV31(registry.definitions).generateDocument({
    openapi: '3.1.0',
    info: {
      title: 'Event Developer API',
      version: currentVersion,
      description: descriptionOf(keyStart),
      'x-scalar-sdk-installation': clientLibraries,
    },
    servers: [
      cell === null
        ? { url: '/', description: 'The gateway that served this document' }
        : {
            url: publicUrl,
            description: `All cells. This document is of ${nameOfCell(cell)}, whose keys begin with ${keyStart}`,
          },
    ],
    security: [{ [bearer.name]: [] }],
    tags: [...new Set(operations.map((o) => o.config.tag))].map((name) => {
      const description = tagDescriptions[name];
      return description === undefined ? { name } : { name, description };
    }),
  });
  return shareComponents(generated);
}

/** `/v1/events/:eventId` as OpenAPI writes it: `/v1/events/{eventId}`. */
export const openApiPath = (url: string): string => url.replace(/:(\w+)/g, '{$1}');

function route({ method, url, schema, config }: Operation): RouteConfig {
  return {
    method: method.toLowerCase() as Lowercase<Operation['method']>,
    path: openApiPath(url),
    operationId: config.operationId,
    summary: config.summary,
    description: [config.description, permissionNote(config.permission)]
      .filter(Boolean)
      .join('\n\n'),
    tags: [config.tag],
    request: {
      ...(schema.params && { params: schema.params as z.ZodObject }),
      ...(schema.querystring && { query: schema.querystring as z.ZodObject }),
      headers: z.object({
        'Service-Version': z.string().optional().openapi({
          description: 'Serve this one request in another dated version.',
          example: currentVersion,
        }),
        ...(config.hasEtag && {
          'If-None-Match': z.string().optional().openapi({
            description: 'The `ETag` of the last response.',
            example: '"nO7Xkyf0Q2mJb8vT1rLw3A"',
          }),
        }),
        ...(acceptsIdempotencyKey({ method, config }) && {
          'Idempotency-Key': z
            .string()
            .min(1)
            .max(255)
            .optional()
            .openapi({
              description:
                'Makes a retry safe: for 24 hours the same request with the same key gets the first successful response ' +
                'and has no second effect. Only successes are stored: after an error, a retry is evaluated again. Bodies are ' +
                'compared as JSON values, so the order of members does not count. Another request with the key is a 400; ' +
                'while the first one is running, the same request is a 409 with `Retry-After: 1`.',
              example: 'b1f7c0de-checkout-1',
            }),
        }),
      }),
      ...(schema.body && {
        body: {
          required: !schema.body.safeParse(undefined).success,
          content: {
            'application/json': { schema: schema.body, ...requestExample(config.operationId) },
          },
        },
      }),
    },
    responses: {
      ...successes(schema.response, config),
      ...(config.hasEtag && {
        304: { description: 'Not modified', headers: successHeaders({ hasEtag: true }) },
      }),
      ...errors({ method, url, schema, config }),
    },
  };
}

/** Which credentials may call the operation. */
function permissionNote(permission: Operation['config']['permission']): string {
  const words = [permission ?? []].flat();
  if (words.length === 0) return '';
  const list = (names: readonly string[]) => names.map((name) => `\`${name}\``).join(' or ');
  return `**Permission**: ${list(words)}, which ${holdersNote(words, list)}.`;
}

function holdersNote(
  words: readonly Permission[],
  list: (names: readonly string[]) => string,
): string {
  if (words.includes('pairing')) return 'only pairing codes have';
  if (words.includes('claim')) return 'only tokens of claim links have';
  if (words.includes('device')) return 'only devices have';
  const groups = [...new Set(words.flatMap((word) => permissionHolders[word].groups))];
  if (groups.length === 0) return 'only unrestricted keys have';
  const devices = words.some((word) => permissionsOfDevice.includes(word)) ? ', and devices' : '';
  return `unrestricted keys have, and restricted keys with the group ${list(groups)}${devices}`;
}

function successes(
  response: Operation['schema']['response'],
  { createsMany, operationId, hasEtag, files }: Operation['config'],
): RouteConfig['responses'] {
  return Object.fromEntries(
    Object.entries(response).map(([status, schema]) => [
      status,
      {
        description: status === '201' ? 'Created' : 'OK',
        headers: successHeaders({
          location: locationOf(status, createsMany),
          hasEtag: hasEtag ?? false,
          isFile: files !== undefined,
        }),
        content: files
          ? Object.fromEntries([...files, anyFile].map((type) => [type, { schema }]))
          : { 'application/json': { schema, ...responseExample(operationId, status) } },
      },
    ]),
  );
}

/**
 * Generators know neither images nor PDF, and leave out a response that has no media type which they
 * know. As this one, they return the bytes of each of them.
 */
const anyFile = 'application/octet-stream';

function locationOf(status: string, createsMany: true | undefined): LocationPresence {
  if (status !== '201') return 'never';
  return createsMany ? 'of_one' : 'always';
}

/** The statuses whose meaning the operation decides. `default` describes the others. */
const ownStatuses: readonly ErrorCode[] = [409, 412];

function errors(operation: Operation): RouteConfig['responses'] {
  const codes = errorCodesOf(operation);
  const own = codes.filter((code) => ownStatuses.includes(code));
  const others = codes.filter((code) => !ownStatuses.includes(code));
  const lines = others.map((code) => `- ${code} ${errorDescription(code, operation)}`);
  const examples = others.map((code) => [
    statusWords[code],
    { value: typicalExample(operation.method, code) },
  ]);
  return {
    ...Object.fromEntries(
      own.map((code) => [
        code,
        {
          description: errorDescription(code, operation),
          content: {
            'application/json': { schema: ErrorEnvelope, ...errorExample(operation, code) },
          },
        },
      ]),
    ),
    default: {
      description: `Any other error:\n\n${lines.join('\n')}`,
      content: {
        'application/json': { schema: ErrorEnvelope, examples: Object.fromEntries(examples) },
      },
    },
  };
}

function errorDescription(code: ErrorCode, { method, config }: Operation): string {
  if (code === 409) return conflictDescription(method, config);
  if (code === 504) {
    return `\`${statusWords[504]}\`: ${timeoutMeanings[method === 'GET' ? 'read' : 'write']}`;
  }
  const reasons = code === 412 ? (config.preconditions ?? []) : [];
  const list = reasons.map((reason) => `\n- \`${reason}\`: ${preconditionReasons[reason]}`);
  return `\`${statusWords[code]}\`: ${statusMeanings[code]}${list.join('')}`;
}

/**
 * Only the codes that the operation returns: `ABORTED` for a POST, `ALREADY_EXISTS` where the
 * operation declares it.
 */
function conflictDescription(
  method: Operation['method'],
  { errors: declared = [] }: Operation['config'],
): string {
  const codes = [
    ...(declared.includes(409) ? (['ALREADY_EXISTS'] as const) : []),
    ...(method === 'POST' ? (['ABORTED'] as const) : []),
  ];
  const lines = codes.map((code) => `\`${code}\`: ${conflictMeanings[code]}`);
  return lines.length === 1 ? lines.join() : lines.map((line) => `- ${line}`).join('\n');
}
