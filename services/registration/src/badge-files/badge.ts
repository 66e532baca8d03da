/** What a badge shows. */
export interface Badge {
  eventName: string;
  /** Null: the badge leaves room to write it by hand. */
  name: string | null;
  company: string | null;
  ticketTypeName: string | null;
  checkinCode: string;
}

/** A box for text, in points from the upper left corner of the page. */
export interface TextBox {
  x: number;
  y: number;
  width: number;
  height: number;
  /** The largest size of the text. Long text is smaller. */
  maxSize: number;
  weight: 'regular' | 'bold';
}

const pointsPerMm = 72 / 25.4;

/** A6, portrait. */
export const pageWidth = 105 * pointsPerMm;
export const pageHeight = 148 * pointsPerMm;

/** Printers leave up to 5 mm of the edge white, and a hole for a lanyard takes some of the top. */
const margin = 8 * pointsPerMm;

const qrSize = 42 * pointsPerMm;

/** The QR code with four white modules on each side, which readers need. */
export const qrBox = { x: (pageWidth - qrSize) / 2, y: 262, size: qrSize };

const column = { x: margin, width: pageWidth - 2 * margin };

/** The texts of a badge, each with its box. No text leaves its box. */
export function textsOf(badge: Badge): { text: string; box: TextBox }[] {
  const { eventName, name, company, ticketTypeName, checkinCode } = badge;
  const bold = 'bold' as const;
  const regular = 'regular' as const;
  const all = [
    { text: eventName, box: { ...column, y: 30, height: 46, maxSize: 16, weight: regular } },
    { text: name, box: { ...column, y: 86, height: 106, maxSize: 34, weight: bold } },
    { text: company, box: { ...column, y: 196, height: 32, maxSize: 16, weight: regular } },
    { text: ticketTypeName, box: { ...column, y: 230, height: 30, maxSize: 15, weight: bold } },
    { text: checkinCode, box: { ...column, y: 382, height: 14, maxSize: 9, weight: regular } },
  ];
  return all.flatMap(({ text, box }) => (text === null || text === '' ? [] : [{ text, box }]));
}
