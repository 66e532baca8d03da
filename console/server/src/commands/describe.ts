import type { CommandDescription } from '@event-api/contracts/console/console.commands';
import type { Operation } from '@event-api/contracts/operation';
import { groupCommands, isRead } from '@event-api/contracts/operator/command';
import { z } from 'zod';

/**
 * Describes commands by their contracts, for a page that makes a form of each. Operations of one
 * name are variants of one command. The schema is that of the input, before defaults and
 * transformations.
 */
export const describeCommands = (operations: readonly Operation[]): CommandDescription[] =>
  groupCommands(operations).map((command) => {
    const { name, operations: variants } = command;
    const [{ config }] = variants;
    const { permission } = config;
    return {
      operationId: name,
      summary: config.summary,
      ...(config.description !== undefined && { description: config.description }),
      tag: config.tag,
      isRead: isRead(command),
      permission: permission === undefined ? [] : [permission].flat(),
      variants: variants.map(variantOf),
    };
  });

function variantOf({ config, schema }: Operation): CommandDescription['variants'][number] {
  const response = schema.response[200] ?? schema.response[201];
  return {
    owner: config.owner,
    schema: jsonSchema(schema.body ?? z.object({}), 'input'),
    ...(response && { response: jsonSchema(response, 'output') }),
  };
}

const jsonSchema = (schema: z.ZodType, io: 'input' | 'output'): Record<string, unknown> =>
  z.toJSONSchema(schema, { io, unrepresentable: 'any' });
