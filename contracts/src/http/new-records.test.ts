import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { apiOperations } from './operations.ts';

const examples = JSON.parse(
  readFileSync(new URL('../../examples.json', import.meta.url), 'utf8'),
) as { operations: Record<string, { responses: Record<string, unknown> }> };
const creates = apiOperations.filter(({ config }) => config.newRecord !== undefined);

test.each(creates.map((each) => [each.config.operationId, each] as const))(
  '%s: the declared fields of a new record are those of the recorded response',
  (operationId, { config }) => {
    const response = JSON.stringify(examples.operations[operationId]?.responses[201]);
    for (const [field, value] of Object.entries(config.newRecord ?? {})) {
      expect(response).toContain(`${JSON.stringify(field)}:${JSON.stringify(value)}`);
    }
  },
);
