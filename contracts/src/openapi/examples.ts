import recorded from '../../examples.json' with { type: 'json' };
import type { ErrorCode } from '../errors.ts';
import type { Operation } from '../operation.ts';

/**
 * The examples of one operation: the request body of its first success, and one response body per
 * status.
 */
export interface OperationExamples {
  request?: unknown;
  responses: Record<string, unknown>;
}

/**
 * Responses recorded from a real run of the platform, with fixed ids and times. `shared` are the
 * error responses that are the same for every operation, and `sharedReads` those of a GET that
 * differ. Source: `tests/e2e/examples.test.ts` records them, and fails when they are outdated.
 */
export const examples = recorded as {
  operations: Record<string, OperationExamples>;
  shared: Record<string, unknown>;
  sharedReads: Record<string, unknown>;
};

type Example = { example?: unknown };

/**
 * The request body in the form of an OpenAPI media type. Empty for an operation that has no
 * recorded example.
 */
export const requestExample = (operationId: string): Example =>
  exampleIf(examples.operations[operationId]?.request);

export const responseExample = (operationId: string, status: string): Example =>
  exampleIf(examples.operations[operationId]?.responses[status]);

/**
 * The error response of the operation itself, or else the one that all operations, or all reads,
 * share.
 */
export function errorExample({ method, config }: Operation, code: ErrorCode): Example {
  const own = examples.operations[config.operationId]?.responses[String(code)];
  return exampleIf(own ?? sharedExample(method, code));
}

/** The error response of this status that operations with this method share. */
export const sharedExample = (method: Operation['method'], code: ErrorCode): unknown =>
  (method === 'GET' ? examples.sharedReads[String(code)] : undefined) ??
  examples.shared[String(code)];

/** The same, or else the first one of any operation, for a text that several operations share. */
export const typicalExample = (method: Operation['method'], code: ErrorCode): unknown =>
  sharedExample(method, code) ??
  Object.values(examples.operations)
    .map(({ responses }) => responses[String(code)])
    .find((response) => response !== undefined);

const exampleIf = (example: unknown): Example => (example === undefined ? {} : { example });
