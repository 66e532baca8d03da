import type { ReactNode } from 'react';

export interface Column<Row> {
  id: string;
  header: string;
  cell: (row: Row) => ReactNode;
  isNumber?: boolean;
  /** Columns that are hidden until the person chooses them. */
  isOptional?: boolean;
  /**
   * The column is left out where the table is narrow, such as beside the panel of a record, which
   * shows the value.
   */
  isForWide?: boolean;
}

export interface Selection {
  selected: ReadonlySet<string>;
  onChange: (selected: ReadonlySet<string>) => void;
}

type Search = Record<string, string | undefined>;

export interface TableProps<Row> {
  label: string;
  columns: readonly Column<Row>[];
  rows: readonly Row[];
  rowId: (row: Row) => string;
  /** The name of the row for screen readers. */
  rowName: (row: Row) => string;
  /** The page of the row. The first column becomes the link to it. */
  rowHref?: (row: Row) => string;
  /** The query string of the page, the same for all rows or one of each. */
  search?: Search | ((row: Row) => Search);
  activeId?: string | undefined;
  selection?: Selection;
}
