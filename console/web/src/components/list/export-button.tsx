import type { ExportedList } from '@event-api/contracts/console/exports';
import { csvLine } from '@event-api/rules/csv-line';
import { Download } from 'lucide-react';
import { useRef, useState } from 'react';
import { runCommand, useScopePath } from '../../api/api.queries.ts';
import { type Query, useClient } from '../../api/client.ts';
import { repeatLimited } from '../../api/repeat-limited.ts';
import { useOptionalEvent, useUnit } from '../../api/unit.ts';
import { common } from '../../text/common.ts';
import { Button } from '../ui/button.tsx';
import { useToast } from '../ui/toast.tsx';

type ValueOf<Row> = (row: Row) => string | number | boolean | null | undefined;

/** Runs a command that reads, such as `order.find`. */
export type ReadCommand = <T>(operationId: string, input: Record<string, unknown>) => Promise<T>;

export interface CsvColumn<Row> {
  header: string;
  value: ValueOf<Row>;
}

/** A column whose values are not in the rows: it reads them for all rows of a page. */
export interface ReadColumn<Row> {
  header: string;
  readValues: (rows: readonly Row[], read: ReadCommand) => Promise<ValueOf<Row>>;
}

const pageSize = 500;
/** The most that a search returns. */
const searchPageSize = 50;

/**
 * Writes a whole list into a CSV file, page by page, with the number of rows so far and a way to
 * cancel. The audit log gets an entry first. If a value cannot be read, there is no file.
 */
export function ExportButton<Row>({
  listKey,
  path,
  query = {},
  input,
  isIncluded = () => true,
  columns,
  fileName,
  label = common.export,
}: {
  /** The key of the rows in a page. It is also the name of the list in the audit log. */
  listKey: ExportedList;
  /** The path of an API operation, or the name of a command. */
  path: string;
  query?: Query;
  /** The input of the command, which is a search. */
  input?: Record<string, unknown>;
  /** Leaves out rows that the page filters by itself. */
  isIncluded?: (row: Row) => boolean;
  columns: readonly (CsvColumn<Row> | ReadColumn<Row>)[];
  fileName: string;
  label?: string;
}) {
  const client = useClient();
  const scope = useScopePath();
  const unit = useUnit();
  const event = useOptionalEvent();
  const toast = useToast();
  const [count, setCount] = useState<number | null>(null);
  const cancelling = useRef(new AbortController());

  async function run(): Promise<void> {
    cancelling.current = new AbortController();
    const { signal } = cancelling.current;
    const send = <T,>(request: () => Promise<T>) => repeatLimited(request, signal);
    const read: ReadCommand = (operationId, values) =>
      send(() => runCommand(client, { operationId, input: values, unitId: unit.id, signal }));
    const readPage = (cursor: string | undefined): Promise<Record<string, unknown>> =>
      input
        ? read(path, { ...input, limit: searchPageSize, cursor })
        : send(() =>
            client.request({
              path: `${scope}/${path}`,
              query: { ...query, limit: pageSize, cursor },
              signal,
            }),
          );
    const lines = [csvLine(columns.map(({ header }) => header))];
    setCount(0);
    try {
      await client.request({
        method: 'POST',
        path: `${scope}/exports`,
        body: { list: listKey, ...(event && { eventId: event.id }) },
        signal,
      });
      for (let cursor: string | null | undefined; cursor !== null; ) {
        const page = await readPage(cursor);
        const rows = (page[listKey] as Row[]).filter(isIncluded);
        const values = await Promise.all(
          columns.map((column) =>
            'value' in column ? column.value : column.readValues(rows, read),
          ),
        );
        for (const row of rows) lines.push(csvLine(values.map((value) => value(row))));
        setCount(lines.length - 1);
        cursor = page.nextCursor as string | null;
      }
      saveFile(fileName, lines);
      toast(common.exported(lines.length - 1));
    } catch {
      toast(signal.aborted ? common.exportCancelled : common.exportFailed);
    } finally {
      setCount(null);
    }
  }

  if (count === null) {
    return (
      <Button icon={Download} onClick={() => void run()}>
        {label}
      </Button>
    );
  }
  return (
    <span className="inline-flex items-center gap-2">
      <span role="status">{common.exporting(count)}</span>
      <Button onClick={() => cancelling.current.abort()}>{common.cancel}</Button>
    </span>
  );
}

/**
 * Lets the browser save lines as a file. The mark at the beginning makes spreadsheets read UTF-8.
 */
export const saveFile = (name: string, lines: readonly string[]): void =>
  saveBlob(name, new Blob(['\uFEFF', ...lines], { type: 'text/csv' }));

/** Lets the browser save a file. */
export function saveBlob(name: string, file: Blob): void {
  const url = URL.createObjectURL(file);
  const link = document.createElement('a');
  link.href = url;
  link.download = name;
  link.click();
  URL.revokeObjectURL(url);
}
