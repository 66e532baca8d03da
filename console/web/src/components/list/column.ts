import type { ReactNode } from 'react';

export interface Column<Row> {
  id: string;
  header: string;
  cell: (row: Row) => ReactNode;
  isNumber?: boolean;
  /** Sentences, which get the room that the other columns leave. */
  isText?: boolean;
  /** Columns that are hidden until the person chooses them. */
  isOptional?: boolean;
  /**
   * The column is left out where the table is narrow, such as beside the panel of a record, which
   * shows the value.
   */
  isForWide?: boolean;
  /** The order of the list that the header sorts by. */
  sortBy?: string;
  /**
   * Where text may break if the table has no room for it: in a word, or only between words. Without
   * it, in a word where the table is narrow.
   */
  breaks?: 'anywhere' | 'words';
  /**
   * Where the value stands in the card of a phone: `corner` is beside the title, such as a status
   * or a menu; `line` is below the title without its name, such as an email; `end` is below all
   * others, such as buttons. Without it, the value stands beside its name.
   */
  card?: 'corner' | 'line' | 'end';
}

/** The order of a list, which the headers of its columns change. */
export interface Sorting {
  by: string;
  direction: 'ascending' | 'descending';
  onSort: (by: string) => void;
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
  /** The names of the columns are for screen readers only. */
  hasHiddenHeader?: boolean;
  selection?: Selection;
  /** Absent where the list cannot be sorted. */
  sorting?: Sorting | undefined;
}
