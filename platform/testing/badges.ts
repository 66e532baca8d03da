import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { PDFiumLibrary } from '@hyzyla/pdfium';
import { prepareZXingModule, readBarcodes } from 'zxing-wasm/reader';

/**
 * The texts of the QR codes of an SVG that `drawSvg` of registration has drawn, read from its black
 * modules.
 */
export async function readSvgCodes(svg: string): Promise<string[]> {
  const path = /<path id="qr"[^>]* d="([^"]*)"/.exec(svg)?.[1] ?? '';
  const bars = [...path.matchAll(/M(\d+) (\d+)h(\d+)/g)].map((bar) => bar.slice(1).map(Number));
  const last = Math.max(...bars.map(([x = 0, , width = 0]) => x + width));
  const quiet = Math.min(...bars.map(([x = 0]) => x));
  const modules = last + quiet;
  const scale = 4;
  const size = modules * scale;
  const data = new Uint8ClampedArray(size * size * 4).fill(255);
  for (const [x = 0, y = 0, width = 0] of bars) {
    for (let row = y * scale; row < (y + 1) * scale; row++) {
      for (let column = x * scale; column < (x + width) * scale; column++) {
        data.fill(0, (row * size + column) * 4, (row * size + column) * 4 + 3);
      }
    }
  }
  return codesOf({ data, width: size, height: size, colorSpace: 'srgb' } as never);
}

/** A page as PDFium shows it. */
export interface PdfPage {
  /** In points. */
  width: number;
  height: number;
  text: string;
  codes: string[];
}

/**
 * Opens a PDF and reads the text and the QR codes of each page. Errors: those of PDFium for a
 * damaged file.
 */
export async function readPdf(bytes: Buffer): Promise<PdfPage[]> {
  const library = await PDFiumLibrary.init();
  try {
    const document = await library.loadDocument(bytes);
    const pages: PdfPage[] = [];
    for (const page of document.pages()) {
      const { originalWidth: width, originalHeight: height } = page.getOriginalSize();
      const text = page.getText();
      // It closes the page.
      const image = await page.render({ scale: 2, render: 'bitmap' });
      const data = Uint8ClampedArray.from(image.data);
      const codes = await codesOf({ data, width: image.width, height: image.height } as never);
      pages.push({ width, height, text, codes });
    }
    document.destroy();
    return pages;
  } finally {
    library.destroy();
  }
}

const reader = createRequire(import.meta.url).resolve('zxing-wasm/reader/zxing_reader.wasm');

/** Reads QR codes with the reader of the scanner. */
async function codesOf(image: Parameters<typeof readBarcodes>[0]): Promise<string[]> {
  // By default it loads the module from the internet.
  prepareZXingModule({ overrides: { wasmBinary: readFileSync(reader).buffer as ArrayBuffer } });
  const codes = await readBarcodes(image, { formats: ['QRCode'] });
  return codes.map(({ text }) => text);
}
