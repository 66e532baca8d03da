import { csvLine } from '../../generated/csv-line.gen.ts';
import { type Command, type Invocation, UsageError } from '../command.ts';
import { connect } from '../config.ts';
import { exampleOf } from './example.ts';
import { commandName, paragraphsOf, sourceOf, wordsOf } from './names.ts';
import { filterOptions, filtersOf, type ListOperation, recordsOf } from './read.ts';
import { readFields, readPath } from './request.ts';

const formats = ['csv', 'jsonl'] as const;
const pageSize = 1000;

/** `export orders` for the operation `listOrders`. */
export function exportCommand(operation: ListOperation): Command {
  const list = commandName(operation);
  const name = list.replace(/^list /, 'export ');
  return {
    name,
    group: 'Export',
    summary: operation.summary.replace(/^List/, 'Export'),
    example: `${exampleOf(operation).replace(list, name)} > ${name.split(' ')[1]}.csv`,
    words: wordsOf(operation),
    options: {
      ...filterOptions(operation),
      format: { value: formats.join('|'), summary: 'csv by default' },
    },
    notes: [
      'Writes all pages as CSV or JSON lines. The columns are the fields of the API; amounts are in the minor unit of the currency. A CSV file has every field in quotes and runs no formula in a spreadsheet.',
      ...paragraphsOf(operation).slice(-1),
    ],
    sourceOf: (field) => sourceOf(operation, field),
    run: (invocation) => runExport(operation, invocation),
  };
}

async function runExport(operation: ListOperation, invocation: Invocation): Promise<void> {
  const { terminal, text, json } = invocation;
  const format = text('format') ?? (json ? 'jsonl' : 'csv');
  if (!formats.some((known) => known === format)) {
    throw new UsageError(`--format is ${formats.join(' or ')}, not ${format}`);
  }
  const { columns } = operation.success;
  const path = readPath(operation, invocation);
  const query = { ...readFields(filtersOf(operation), invocation), limit: pageSize };
  const client = await connect(terminal);
  // A line of CSV ends by itself.
  const printLine = (cells: readonly Cell[]) => terminal.print(csvLine(cells).slice(0, -1));
  if (format === 'csv') printLine(columns);
  for await (const record of recordsOf(client, operation, { path, query })) {
    if (format === 'csv') printLine(columns.map((name) => cellOf(record[name])));
    else terminal.print(JSON.stringify(record));
  }
}

type Cell = Parameters<typeof csvLine>[0][number];

/** An object or a list is JSON. */
function cellOf(value: unknown): Cell {
  if (value === undefined || value === null) return null;
  if (typeof value === 'object') return JSON.stringify(value);
  return typeof value === 'number' || typeof value === 'boolean' ? value : String(value);
}
