import type { Operation } from '@event-api/contracts/operation';
import { showPerson } from '@event-api/contracts/operator/persons';
import { strictValidatorCompiler } from '@event-api/platform/http/validation';
import type { OperatorClient } from './operator-client.ts';
import { collectPerson } from './person.ts';

/** A command that no service implements: the tool composes it of operator commands. */
export interface Composition {
  operation: Operation;
  /** Receives the validated input. Errors: those of the command. */
  run: (client: OperatorClient, input: never) => Promise<unknown>;
}

export const personComposition: Composition = { operation: showPerson, run: collectPerson };

/**
 * Validates the input as a service does and carries out the command. Errors: 400; those of the
 * command.
 */
export async function runComposed(
  { operation, run }: Composition,
  client: OperatorClient,
  input: unknown,
): Promise<unknown> {
  return run(client, validated(operation, input) as never);
}

function validated(operation: Operation, input: unknown): unknown {
  const { method, url, schema } = operation;
  const validate = strictValidatorCompiler(operation)({
    schema: schema.body as never,
    method,
    url,
    httpPart: 'body',
  });
  const result = validate(input) as { value?: unknown; error?: Error };
  if (result.error) throw result.error;
  return result.value;
}
