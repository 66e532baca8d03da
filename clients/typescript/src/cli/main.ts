#!/usr/bin/env node
import { createInterface } from 'node:readline/promises';
import { Writable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { run } from './run.ts';

const interrupted = new AbortController();
for (const name of ['SIGINT', 'SIGTERM'] as const) {
  process.on(name, () => interrupted.abort(new Error(name)));
}
// The reader of a pipe may end first: `event-api changes tail | head`.
process.stdout.on('error', () => process.exit(0));

async function readSecret(prompt: string): Promise<string> {
  process.stderr.write(prompt);
  const hidden = new Writable({ write: (_chunk, _encoding, done) => done() });
  const { isTTY = false } = process.stdin;
  const lines = createInterface({ input: process.stdin, output: hidden, terminal: isTTY });
  lines.on('SIGINT', () => interrupted.abort(new Error('SIGINT')));
  try {
    return await new Promise<string>((resolve, reject) => {
      lines.once('line', resolve);
      lines.once('close', () => resolve(''));
      interrupted.signal.addEventListener('abort', () => reject(interrupted.signal.reason));
    });
  } finally {
    lines.close();
    process.stderr.write('\n');
  }
}

async function readReply(question: string): Promise<string> {
  const lines = createInterface({ input: process.stdin, output: process.stderr });
  // An input that has ended has no reply.
  const ended = new Promise<string>((resolve) => lines.once('close', () => resolve('')));
  try {
    const { signal } = interrupted;
    return await Promise.race([lines.question(question, { signal }), ended]);
  } finally {
    lines.close();
  }
}

process.exitCode = await run(process.argv.slice(2), {
  env: process.env,
  print: (line) => console.log(line),
  note: (line) => console.error(line),
  readSecret,
  readInput: () => text(process.stdin),
  readReply: process.stdin.isTTY && process.stderr.isTTY ? readReply : null,
  now: () => new Date(),
  signal: interrupted.signal,
});
