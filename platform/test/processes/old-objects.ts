// Prints how many bytes 200,000 short-lived objects add to the old generation, after objects of the
// same statement have survived collections. With the argument `configured` it sets garbage
// collection as the processes of the platform do.
import { configureGarbageCollection } from '../../src/service/garbage-collection.ts';
import { collectGarbage, oldBytes } from '../../testing/heap.ts';

if (process.argv[2] === 'configured') configureGarbageCollection();

const createOne = (i: number) => ({ i, list: [i, i] });

/** Creates objects, of which the latest `kept.length` stay alive. */
function create(count: number, kept: object[]): void {
  for (let i = 0; i < count; i++) kept[i % kept.length] = createOne(i);
}

create(3_000_000, new Array(1_000_000).fill({}));
collectGarbage();
const few = new Array(64).fill({});
// Compiles the statement again, with what V8 has learned about its objects.
create(50_000, few);
const before = oldBytes();
create(200_000, few);
process.stdout.write(`${oldBytes() - before}\n`);
