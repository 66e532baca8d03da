import type { Client } from '@event-api/client';
import type { z } from 'zod';

/** What a tool works with. */
export interface Api {
  client: Client;
  baseUrl: string;
}

export interface ReadTool<Input extends z.ZodObject = z.ZodObject> {
  kind: 'read';
  name: string;
  title: string;
  description: string;
  input: Input;
  /** Errors: those of the client. */
  run(api: Api, input: z.output<Input>): Promise<object>;
}

export interface WriteTool<Input extends z.ZodObject = z.ZodObject> {
  kind: 'write';
  name: string;
  title: string;
  description: string;
  input: Input;
  /** Whether the change takes something away from a person. */
  isDestructive: boolean;
  /** What `run` would change. It changes nothing. Errors: those of the client. */
  preview(api: Api, input: z.output<Input>): Promise<object>;
  /** Errors: those of the client. */
  run(api: Api, input: z.output<Input>): Promise<object>;
}

export type Tool = ReadTool | WriteTool;

export const readTool = <Input extends z.ZodObject>(
  tool: Omit<ReadTool<Input>, 'kind'>,
): ReadTool => ({ ...tool, kind: 'read' }) as unknown as ReadTool;

export const writeTool = <Input extends z.ZodObject>(
  tool: Omit<WriteTool<Input>, 'kind'>,
): WriteTool => ({ ...tool, kind: 'write' }) as unknown as WriteTool;
