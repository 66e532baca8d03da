import { writeFileSync } from 'node:fs';
import { encode } from 'uqr';

const width = 640;
const height = 480;
const frames = 10;

/** Writes a film that a browser plays as its camera: a badge with a QR code that does not move. */
export function writeFilm(path: string, code: string): void {
  const { data, size } = encode(code, { ecc: 'M', border: 4 });
  const scale = Math.floor(height / size);
  const [left, top] = [(width - size * scale) >> 1, (height - size * scale) >> 1];
  const luma = Buffer.alloc(width * height, 235);
  for (let y = 0; y < size * scale; y++) {
    for (let x = 0; x < size * scale; x++) {
      if (!data[Math.floor(y / scale)]?.[Math.floor(x / scale)]) continue;
      luma[(top + y) * width + left + x] = 16;
    }
  }
  const chroma = Buffer.alloc((width * height) / 2, 128);
  const frame = Buffer.concat([Buffer.from('FRAME\n'), luma, chroma]);
  const header = Buffer.from(`YUV4MPEG2 W${width} H${height} F10:1 Ip A1:1 C420jpeg\n`);
  writeFileSync(path, Buffer.concat([header, ...Array.from({ length: frames }, () => frame)]));
}
