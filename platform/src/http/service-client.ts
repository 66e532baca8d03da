import type { Operation } from '@event-api/contracts/operation';
import type { z } from 'zod';
import { currentActor } from '../core/actor.ts';
import { notFound, unavailable } from '../core/errors.ts';
import { httpTimeouts } from '../core/timeouts.ts';
import { currentToken, recordWrite } from '../messaging/read-after/scope.ts';
import { formatReadAfter, parseReadAfter, readAfterHeader } from '../messaging/read-after/token.ts';
import type { CallerSigner } from './caller-tokens.ts';
import { isMissingRoute } from './missing-route.ts';
import { tracedRequest } from './traced-request.ts';

type Input<O extends Operation> = z.input<NonNullable<O['schema']['body']>>;
type Output<O extends Operation> = z.output<NonNullable<O['schema']['response'][200]>>;

/** A client for the internal operations of another service. */
export interface ServiceClient {
  /**
   * Calls an operation. The writes that the response reports count for the current request, too.
   * Errors: 404 for a record that the other service does not have; 503 for any other response but a
   * 200, also if an older release of it does not have the operation. A call that fails with 503 may
   * have taken effect.
   */
  call<O extends Operation>(operation: O, input: Input<O>): Promise<Output<O>>;
}

export function createServiceClient(options: {
  /** The internal listener of the other service. */
  url: string;
  signer: CallerSigner;
  timeoutMs?: number;
}): ServiceClient {
  const { url, signer, timeoutMs = httpTimeouts.serviceCallMs } = options;

  async function send({ method, url: path, config }: Operation, input: unknown) {
    const token = currentToken();
    const hasBody = method !== 'GET';
    return tracedRequest(new URL(path, url), {
      target: { owner: config.owner, template: path },
      method,
      headers: {
        'x-caller': await signer.sign({ audience: 'service', actor: currentActor() }),
        ...(hasBody && { 'content-type': 'application/json' }),
        ...(token && { [readAfterHeader]: formatReadAfter(token) }),
      },
      ...(hasBody && { body: JSON.stringify(input) }),
      timeoutMs,
    });
  }

  return {
    async call(operation, input) {
      try {
        const { statusCode, headers, body } = await send(operation, input);
        recordWrite(parseReadAfter(headers[readAfterHeader]));
        // Also of a 404: one without JSON is not from the service.
        const received: unknown = JSON.parse(body.toString());
        if (isMissingRoute(statusCode, headers)) {
          const { owner, operationId } = operation.config;
          throw new Error(`${owner} does not have ${operationId}: release ${owner} first`);
        }
        if (statusCode === 404) throw notFound();
        if (statusCode !== 200) {
          throw new Error(`${operation.config.operationId} responded with ${statusCode}`);
        }
        const schema = operation.schema.response[200];
        if (!schema) throw new Error(`${operation.config.operationId} declares no response`);
        return schema.parse(received) as never;
      } catch (error) {
        if ((error as { code?: unknown }).code === 404) throw error;
        throw unavailable(error);
      }
    },
  };
}
