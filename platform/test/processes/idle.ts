import { collectGarbageWhenIdle } from '../../src/service/idle-memory.ts';

// Leaves garbage behind, then writes the size of its heap ten times per second.
const [, , mode] = process.argv;
const createGarbage = () => Array.from({ length: 1_000_000 }, (_, n) => ({ n, text: `${n}` }));
const report = () => process.stdout.write(`${process.memoryUsage().heapTotal}\n`);

createGarbage();
report();
if (mode === 'collect') collectGarbageWhenIdle(200, { isQuiet: () => true });
setInterval(report, 100);
