import { toWallClock } from '../../format/time.ts';

export type Cell = string | number | boolean | null | undefined;

/** Runs a command that reads, such as `order.find`. */
export type ReadCommand = <T>(operationId: string, input: Record<string, unknown>) => Promise<T>;

export interface CsvColumn<Row> {
  header: string;
  value: (row: Row) => Cell;
}

/** Columns whose values are not in the rows: they are read for all rows of a page. */
export interface ReadColumns<Row> {
  headers: readonly string[];
  readValues: (rows: readonly Row[], read: ReadCommand) => Promise<(row: Row) => readonly Cell[]>;
}

/** A time in a zone, which the header names. Spreadsheets read it as a time. */
export const timeColumn = <Row>(
  name: string,
  zone: string,
  instantOf: (row: Row) => string | null,
): CsvColumn<Row> => ({
  header: timeHeader(name, zone),
  value: (row) => timeCell(instantOf(row), zone),
});

export const timeHeader = (name: string, zone: string): string => `${name} (${zone})`;

/** `2027-05-10 09:00` */
export const timeCell = (instant: string | null, zone: string): string =>
  toWallClock(instant, zone).replace('T', ' ');

/** What a file has of a list. */
export interface ExportFile<Row> {
  label: string;
  fileName: string;
  columns: readonly (CsvColumn<Row> | ReadColumns<Row>)[];
  /** Leaves out rows of the list. */
  isIncluded?: (row: Row) => boolean;
  /** Lines above those of the rows, such as sums, from the values of all rows. */
  summarize?: (headers: readonly string[], rows: readonly (readonly Cell[])[]) => readonly Cell[][];
}
