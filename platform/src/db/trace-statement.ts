import { sqlState } from '../core/error-reason.ts';
import { currentTrace, isRecorded, openSpan } from '../telemetry/trace-scope.ts';

/**
 * Runs a statement, with a span in a trace that is recorded. The span is named after the statement;
 * for the ORM, which writes values into its SQL, after the verb and the table.
 */
export function traceStatement(query: unknown, run: () => unknown): unknown {
  if (!isRecorded(currentTrace())) return run();
  const summary = querySummary(query);
  const span = openSpan({
    name: summary,
    kind: 'client',
    attributes: { 'db.system.name': 'postgresql', 'db.query.summary': summary },
  });
  const result = run();
  // Calls with a callback or a stream return no promise and are not measured.
  if (result instanceof Promise) {
    result.then(
      () => span.end(),
      (error: unknown) =>
        span.end({ failed: true, attributes: { 'error.type': sqlState(error) ?? 'connection' } }),
    );
  }
  return result;
}

/** The text of a span: never a value from a request. */
export function querySummary(query: unknown): string {
  const { name, text } = (typeof query === 'string' ? { text: query } : query) as {
    name?: string;
    text?: string;
  };
  if (name) return name;
  for (const shape of shapes) {
    const [, verb, table = ''] = shape.exec(text ?? '') ?? [];
    if (verb) return `${verb.toLowerCase()} ${table.replaceAll('"', '')}`.trim();
  }
  return 'statement';
}

const table = '((?:"\\w+"\\.)?"\\w+")';

// No literal may stand before the table: its content could look like a table.
const shapes = [
  /^\W*\w+ \/\* (\w+) \*\//,
  new RegExp(`^\\s*(insert) into ${table}`, 'i'),
  new RegExp(`^\\s*(update) ${table}`, 'i'),
  new RegExp(`^\\s*(delete) from ${table}`, 'i'),
  new RegExp(`^\\s*(select)\\b[^']*? from ${table}`, 'i'),
  /^\s*(begin|commit|rollback|start transaction|savepoint|release|set|select)\b/i,
];
