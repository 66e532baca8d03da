import PdfDocument from 'pdfkit';
import { type Badge, pageHeight, pageWidth, qrBox, textsOf } from './badge.ts';
import type { Fonts, OpenFont } from './fonts.ts';
import type { LayoutText, Line } from './layout.ts';
import { qrBars } from './qr.ts';

type Document = InstanceType<typeof PdfDocument>;

interface Place {
  x: number;
  y: number;
  size: number;
  isRightToLeft?: boolean;
}

/** Stands for a character that no font has. */
const missing = '?';

/** A PDF to which badges are added, one page each. It passes on its bytes as they are written. */
export interface PdfFile {
  add(badge: Badge): void;
  end(): void;
}

export function createPdf(
  { fonts, layout }: { fonts: Fonts; layout: LayoutText },
  title: string,
  { onBytes, onEnd }: { onBytes: (bytes: Buffer) => void; onEnd: () => void },
): PdfFile {
  const document = new PdfDocument({
    autoFirstPage: false,
    info: { Title: title },
    displayTitle: true,
    pdfVersion: '1.7',
  } as ConstructorParameters<typeof PdfDocument>[0]);
  document.on('data', onBytes);
  document.on('end', onEnd);
  const registered = new Set<string>();
  const chooseFont = ({ name, file }: OpenFont): Document => {
    if (!registered.has(name)) document.registerFont(name, file);
    registered.add(name);
    return document.font(name);
  };

  function drawText(font: OpenFont, text: string, place: Place): void {
    chooseFont(font).fontSize(place.size);
    document.text(text, place.x, place.y, {
      lineBreak: false,
      baseline: 'alphabetic',
      // With a list of features pdfkit lays out the text as a whole: by default each word, from
      // left to right.
      ...(place.isRightToLeft && { features: [] }),
    });
  }

  /** The characters have the width of an em each. */
  function drawMissing(count: number, { x, y, size }: Place): void {
    const font = fonts.find(missing, 'regular');
    for (let index = 0; font && index < count; index++) {
      drawText(font, missing, { x: x + (index + 0.25) * size, y, size });
    }
  }

  function drawLine({ x, y, size, runs }: Line): void {
    let left = x;
    for (const { text, font, width, isRightToLeft } of runs) {
      if (font) drawText(font, text, { x: left, y, size, isRightToLeft });
      else drawMissing(width, { x: left, y, size });
      left += width * size;
    }
  }

  return {
    add(badge) {
      document.addPage({ size: [pageWidth, pageHeight], margin: 0 });
      for (const { text, box } of textsOf(badge)) {
        const { x, y, width, height } = box;
        document.save().rect(x, y, width, height).clip();
        for (const line of layout(text, box)) drawLine(line);
        document.restore();
      }
      drawQr(document, badge.checkinCode);
    },
    end: () => document.end(),
  };
}

function drawQr(document: Document, code: string): void {
  const { size, bars } = qrBars(code);
  const module = qrBox.size / size;
  for (const { x, y, width } of bars) {
    document.rect(qrBox.x + x * module, qrBox.y + y * module, width * module, module);
  }
  document.fill('#000');
}
