import { Writable } from 'node:stream';
import { expect, test } from 'vitest';
import { shareWrite } from './share-write.ts';

test('statements of one turn of the event loop are one write, also across promises that are settled', async () => {
  const writes: string[] = [];
  const stream = new Writable({
    write(chunk, _encoding, done) {
      writes.push(String(chunk));
      done();
    },
    writev(chunks, done) {
      writes.push(chunks.map(({ chunk }) => String(chunk)).join(' '));
      done();
    },
  });
  const query = (text: string) => {
    shareWrite(stream);
    stream.write(text);
  };
  query('begin');
  await Promise.resolve();
  query('lock');
  await Promise.resolve();
  query('read');
  await new Promise(setImmediate);
  query('commit');
  await new Promise(setImmediate);
  expect(writes).toEqual(['begin lock read', 'commit']);
});
