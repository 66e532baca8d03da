import { create } from 'qrcode';

/**
 * A rectangle of black modules, in modules from the upper left corner of the code with its quiet
 * zone.
 */
export interface Bar {
  x: number;
  y: number;
  width: number;
}

/** The white modules around a code, which readers need. */
const quiet = 4;

/** The QR code of a text as rows of black bars, one module high. `size` is its width in modules. */
export function qrBars(text: string): { size: number; bars: Bar[] } {
  const { modules } = create(text, { errorCorrectionLevel: 'M' });
  const bars: Bar[] = [];
  for (let y = 0; y < modules.size; y++) {
    for (let x = 0; x < modules.size; x++) {
      if (!modules.get(y, x)) continue;
      const start = x;
      while (x + 1 < modules.size && modules.get(y, x + 1)) x += 1;
      bars.push({ x: start + quiet, y: y + quiet, width: x - start + 1 });
    }
  }
  return { size: modules.size + 2 * quiet, bars };
}
