import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { cellOverlay, namespaceOfCell } from './overlay.ts';

/** Writes the overlay of a cell into `overlays`. Errors: it exists; those of `cellOverlay`. */
export function writeOverlay(overlays: string, cell: string): void {
  const folder = join(overlays, cell);
  const files = cellOverlay(cell);
  if (existsSync(folder)) throw new Error(`${folder} exists already`);
  for (const [file, text] of Object.entries(files)) {
    const path = join(folder, file);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, text);
  }
}

if (import.meta.main) {
  const [cell = ''] = process.argv.slice(2);
  try {
    writeOverlay(join(import.meta.dirname, '../kubernetes/overlays'), cell);
    console.log(`deploy/kubernetes/overlays/${cell}, for the namespace ${namespaceOfCell(cell)}`);
  } catch (error) {
    console.error(error instanceof Error ? error.message : error);
    process.exitCode = 1;
  }
}
