import type { ExportedList } from '@event-api/contracts/console/exports';
import { csvLine } from '@event-api/rules/csv-line';
import { ChevronDown, Download, FileSpreadsheet } from 'lucide-react';
import { useRef, useState } from 'react';
import { runCommand, useScopePath } from '../../api/api.queries.ts';
import { type Query, useClient } from '../../api/client.ts';
import { repeatLimited } from '../../api/repeat-limited.ts';
import { useOptionalEvent, useUnit } from '../../api/unit.ts';
import { common } from '../../text/common.ts';
import { Button } from '../ui/button.tsx';
import { ActionMenu } from '../ui/menu.tsx';
import { useToast } from '../ui/toast.tsx';
import type { Cell, ExportFile, ReadCommand } from './csv-columns.ts';

const pageSize = 500;
/** The most that a search returns. */
const searchPageSize = 50;

/** How far an export is: the rows that were read and those that the file has, and its waits. */
interface Progress {
  read: number;
  written: number;
  waits: number;
}

const none: Progress = { read: 0, written: 0, waits: 0 };

/**
 * Writes a whole list into a CSV file, page by page, with the number of rows so far and a way to
 * cancel. `others` are files for a purpose, in a menu beside the button. The audit log gets an
 * entry first. If a value cannot be read, there is no file.
 */
export function ExportButton<Row>({
  listKey,
  path,
  query = {},
  input,
  inputPageSize = searchPageSize,
  more = [],
  others = [],
  label = common.export,
  total,
  ...file
}: {
  /** The key of the rows in a page. It is also the name of the list in the audit log. */
  listKey: ExportedList;
  /** The path of an API operation, or the name of a command. */
  path: string;
  query?: Query;
  /** The input of the command, which is a search. */
  input?: Record<string, unknown>;
  /** The rows of a page of the command. */
  inputPageSize?: number;
  /** Rows that the list has beside those that it reads. */
  more?: readonly Row[];
  others?: readonly ExportFile<Row>[];
  label?: string;
  /** The rows of the list, if the page knows how many it has. */
  total?: number | undefined;
} & Omit<ExportFile<Row>, 'label'>) {
  const client = useClient();
  const scope = useScopePath();
  const unit = useUnit();
  const event = useOptionalEvent();
  const toast = useToast();
  const [progress, setProgress] = useState<Progress | null>(null);
  const cancelling = useRef(new AbortController());

  async function run({ fileName, columns, ...options }: Omit<ExportFile<Row>, 'label'>) {
    const { isIncluded = () => true, summarize = () => [] } = options;
    cancelling.current = new AbortController();
    const { signal } = cancelling.current;
    const add = (step: Partial<Progress>) =>
      setProgress((before) => before && addProgress(before, step));
    const send = <T,>(request: () => Promise<T>) =>
      repeatLimited(request, signal, (isWaiting) => add({ waits: isWaiting ? 1 : -1 }));
    const read: ReadCommand = (operationId, values) =>
      send(() => runCommand(client, { operationId, input: values, unitId: unit.id, signal }));
    const readPage = (cursor: string | undefined): Promise<Record<string, unknown>> =>
      input
        ? read(path, { ...input, limit: inputPageSize, cursor })
        : send(() =>
            client.request({
              path: `${scope}/${path}`,
              query: { ...query, limit: pageSize, cursor },
              signal,
            }),
          );
    const headers = columns.flatMap((column) =>
      'value' in column ? [column.header] : column.headers,
    );
    const written: Cell[][] = [];
    setProgress(none);
    try {
      await client.request({
        method: 'POST',
        path: `${scope}/exports`,
        body: { list: listKey, ...(event && { eventId: event.id }) },
        signal,
      });
      for (let cursor: string | null | undefined; cursor !== null; ) {
        const page = await readPage(cursor);
        cursor = page.nextCursor as string | null;
        const last = cursor === null ? more : [];
        const found = [...(page[listKey] as Row[]), ...last];
        const rows = found.filter(isIncluded);
        const values = await Promise.all(
          columns.map((column) =>
            'value' in column ? (row: Row) => [column.value(row)] : column.readValues(rows, read),
          ),
        );
        for (const row of rows) written.push(values.flatMap((value) => value(row)));
        add({ read: found.length, written: rows.length });
      }
      const lines = [...summarize(headers, written), headers, ...written];
      saveFile(fileName, lines.map(csvLine));
      toast(common.exported(written.length));
    } catch {
      toast(signal.aborted ? common.exportCancelled : common.exportFailed);
    } finally {
      setProgress(null);
    }
  }

  if (progress === null) {
    return (
      <span className="inline-flex items-center">
        <Button icon={Download} onClick={() => void run(file)}>
          {label}
        </Button>
        <ActionMenu
          label={common.otherFiles}
          icon={ChevronDown}
          actions={others.map((other) => ({
            label: other.label,
            icon: FileSpreadsheet,
            onSelect: () => void run(other),
          }))}
        />
      </span>
    );
  }
  return (
    <span className="inline-flex items-center gap-2">
      <span role="status">{progressText(progress, total)}</span>
      <Button onClick={() => cancelling.current.abort()}>{common.cancel}</Button>
    </span>
  );
}

const addProgress = (before: Progress, step: Partial<Progress>): Progress => ({
  read: before.read + (step.read ?? 0),
  written: before.written + (step.written ?? 0),
  waits: before.waits + (step.waits ?? 0),
});

function progressText({ read, written, waits }: Progress, total: number | undefined): string {
  const rows = total === undefined ? common.exporting(written) : common.exportingOf(read, total);
  return waits > 0 ? `${rows}. ${common.exportWaiting}` : rows;
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
