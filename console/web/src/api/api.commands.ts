import { useQuery } from '@tanstack/react-query';
import { useClient } from './client.ts';

/** JSON Schema, as far as the inputs of commands use it. */
export interface Schema {
  type?: string | readonly string[];
  title?: string;
  description?: string;
  default?: unknown;
  const?: unknown;
  enum?: readonly unknown[];
  format?: string;
  pattern?: string;
  minLength?: number;
  maxLength?: number;
  minimum?: number;
  maximum?: number;
  minItems?: number;
  maxItems?: number;
  items?: Schema;
  properties?: Record<string, Schema>;
  required?: readonly string[];
  anyOf?: readonly Schema[];
  oneOf?: readonly Schema[];
  allOf?: readonly Schema[];
  $ref?: string;
  $defs?: Record<string, Schema>;
  example?: unknown;
  examples?: readonly unknown[];
  additionalProperties?: boolean | Schema;
  /** The kinds of records that the id can name. */
  'x-references'?: readonly string[];
}

/** An operator command. Commands of one name differ in their owner. */
export interface Command {
  operationId: string;
  summary: string;
  description?: string;
  tag: string;
  /** Whether it only reads, so that the audit log never contains it. */
  isRead: boolean;
  /** The permissions of which an operator needs one. */
  permission: readonly string[];
  variants: readonly { owner: string; schema: Schema; response?: Schema }[];
}

/** Every operator command, with the schema of its input. */
export function useCommands(isEnabled = true) {
  const client = useClient();
  return useQuery({
    queryKey: ['commands'],
    queryFn: () => client.request<{ commands: Command[] }>({ path: '/api/commands' }),
    select: ({ commands }) => commands,
    staleTime: Number.POSITIVE_INFINITY,
    enabled: isEnabled,
  });
}
