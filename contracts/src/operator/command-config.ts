import type { OperationConfig } from '../operation.ts';
import type { Permission } from '../permissions.ts';

/**
 * Returns a function that gives a command of this owner and permission its URL and config, both
 * from its name.
 */
export const commandsOf =
  <const Config extends { tag: string; owner: OperationConfig['owner']; permission: Permission }>(
    common: Config,
  ) =>
  <const Name extends string>(
    operationId: Name,
    summary: string,
    more: Pick<OperationConfig, 'description' | 'isRead' | 'preconditions'> = {},
  ) => ({
    method: 'POST' as const,
    url: `/operator/${operationId}` as const,
    config: {
      ...common,
      audience: 'operator',
      operationId,
      summary,
      ...more,
    } as const satisfies OperationConfig,
  });
