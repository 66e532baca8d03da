/** What a command knows of the process that runs it. */
export interface Terminal {
  env: Readonly<Record<string, string | undefined>>;
  /** Writes a line of the result, to stdout. */
  print(line: string): void;
  /** Writes a line for people, to stderr. */
  note(line: string): void;
  /** Reads a line that must not be shown. */
  readSecret(prompt: string): Promise<string>;
  /** Reads the whole input. */
  readInput(): Promise<string>;
  /** Reads the reply of a person to a question. Null if the input is not a terminal. */
  readReply: ((question: string) => Promise<string>) | null;
  now(): Date;
  /** Aborted by Ctrl-C. */
  signal: AbortSignal;
}

/** An option with a value has the name of the value, a switch has none. */
export interface Option {
  value?: string;
  summary: string;
}

export interface Invocation {
  terminal: Terminal;
  /** The words after the command, one for each name in `words`. None is empty. */
  words: readonly string[];
  /** The value of an option. */
  text(option: string): string | undefined;
  /** Whether a switch is set. */
  isSet(option: string): boolean;
  /** Whether the result is printed as JSON, one record per line. */
  json: boolean;
}

export interface Command {
  /** One or two words, for example `list orders`. */
  name: string;
  /** The heading in the help. */
  group: string;
  summary: string;
  /** A command line without the name of the program. */
  example: string;
  /** The paragraphs below the options in the help. */
  notes?: readonly string[];
  /** The names of the words that the command requires. */
  words?: readonly string[];
  options?: Readonly<Record<string, Option>>;
  /** What of the command line a field of the API comes from, for example `--items`. */
  sourceOf?(field: string): string | undefined;
  /** Errors: UsageError; CommandError; those of the client. */
  run(invocation: Invocation): Promise<void>;
}

/** The command line is wrong. The exit code is 2. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}

/** The command failed for a reason that the message explains. The exit code is 1. */
export class CommandError extends Error {
  override readonly name = 'CommandError';
}
