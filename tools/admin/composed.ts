import type { Operation } from '@event-api/contracts/operation';
import { showPerson } from '@event-api/contracts/operator/persons';
import { strictValidatorCompiler } from '@event-api/platform/http/validation';
import type { OperatorClient } from './operator-client.ts';
import { collectPerson } from './person.ts';

/** How the tool carries out a command that no service implements, by its name. */
const compositions: Record<string, (client: OperatorClient, input: never) => Promise<unknown>> = {
  [showPerson.config.operationId]: collectPerson,
};

/**
 * Validates the input as a service does and carries out the command. Errors: 400; those of the
 * command.
 */
export async function runComposed(
  client: OperatorClient,
  operation: Operation,
  input: unknown,
): Promise<unknown> {
  const { operationId } = operation.config;
  const run = compositions[operationId];
  if (!run) throw new Error(`${operationId} is not composed`);
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
