import type { Client } from '@event-api/client';
import type { z } from 'zod';

/** What a tool works with. */
export interface Api {
  client: Client;
  baseUrl: string;
  now(): Date;
}

interface Described<Input extends z.ZodObject, Output extends z.ZodObject> {
  name: string;
  title: string;
  description: string;
  input: Input;
  /** The fields of the result. What `run` returns besides them is dropped. */
  output: Output;
  /** Errors: those of the client. */
  run(api: Api, input: z.output<Input>): Promise<z.input<Output>>;
}

export interface ReadTool<
  Input extends z.ZodObject = z.ZodObject,
  Output extends z.ZodObject = z.ZodObject,
> extends Described<Input, Output> {
  kind: 'read';
}

export interface WriteTool<
  Input extends z.ZodObject = z.ZodObject,
  Output extends z.ZodObject = z.ZodObject,
> extends Described<Input, Output> {
  kind: 'write';
  /** Whether the change takes something away from a person. */
  isDestructive: boolean;
  /** How to call it after the description. By default with the same arguments and `confirm`. */
  toDoIt?: string;
  /** What `run` would change. It changes nothing. Errors: those of the client. */
  preview(api: Api, input: z.output<Input>): Promise<object>;
}

export type Tool = ReadTool | WriteTool;

export const readTool = <Input extends z.ZodObject, Output extends z.ZodObject>(
  tool: Omit<ReadTool<Input, Output>, 'kind'>,
): ReadTool => ({ ...tool, kind: 'read' }) as unknown as ReadTool;

export const writeTool = <Input extends z.ZodObject, Output extends z.ZodObject>(
  tool: Omit<WriteTool<Input, Output>, 'kind'>,
): WriteTool => ({ ...tool, kind: 'write' }) as unknown as WriteTool;
