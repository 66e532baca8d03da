import { inflateSync } from 'node:zlib';

const signature = 0x774f4646;

/**
 * The font of a WOFF file, whose tables are compressed. The reader of fonts would decompress a
 * table each time it reads a glyph. Other files stay as they are.
 */
export function unwrapWoff(file: Buffer): Buffer {
  if (file.readUInt32BE(0) !== signature) return file;
  const count = file.readUInt16BE(12);
  const headerSize = 12 + count * 16;
  const header = Buffer.alloc(headerSize);
  file.copy(header, 0, 4, 8);
  header.writeUInt16BE(count, 4);
  const tables: Buffer[] = [];
  let offset = headerSize;
  for (let index = 0; index < count; index++) {
    const entry = 44 + index * 20;
    const [start = 0, compressed = 0, size = 0] = [4, 8, 12].map((at) =>
      file.readUInt32BE(entry + at),
    );
    const stored = file.subarray(start, start + compressed);
    const table = compressed < size ? inflateSync(stored) : stored;
    const to = 12 + index * 16;
    file.copy(header, to, entry, entry + 4);
    file.copy(header, to + 4, entry + 16, entry + 20);
    header.writeUInt32BE(offset, to + 8);
    header.writeUInt32BE(size, to + 12);
    const padded = Math.ceil(size / 4) * 4;
    tables.push(table, Buffer.alloc(padded - size));
    offset += padded;
  }
  return Buffer.concat([header, ...tables]);
}
