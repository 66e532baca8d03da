/**
 * One line of a CSV file (RFC 4180), every field in quotes. A formula character gets an apostrophe
 * in front, at the beginning of a field and after any character at which a spreadsheet may split
 * it, because names and answers are typed by strangers. Text that is written from right to left is
 * isolated, so that it does not reorder the line.
 */
export function csvLine(cells: readonly (string | number | boolean | null | undefined)[]): string {
  return `${cells.map(cell).join(',')}\r\n`;
}

function cell(value: string | number | boolean | null | undefined): string {
  const text = typeof value === 'string' ? isolated(value) : String(value ?? '');
  return `"${text.replaceAll('"', '""')}"`;
}

// A spreadsheet may ignore quotes inside of a field, and the blanks before a formula. Full-width
// forms are formula characters in some locales.
const formula = /(?=[=+\-@＝＋－＠\t\r\n])(?<=(?:^|[,;|:\t\r\n"'])[ \u00a0\u3000]*)/gu;

const harmless = (text: string): string => text.replace(formula, "'");

const directions = /[\u202a-\u202e\u2066-\u2069]/g;
const rightToLeft =
  /[\p{Script=Hebrew}\p{Script=Arabic}\p{Script=Syriac}\p{Script=Thaana}\p{Script=Nko}]/u;

/** Its own control characters go first, so that none hides a formula or ends the isolation. */
function isolated(text: string): string {
  const plain = text.replace(directions, '');
  return rightToLeft.test(plain) ? `\u2068${harmless(plain)}\u2069` : harmless(plain);
}
