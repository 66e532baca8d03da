import { topology } from '@event-api/contracts/topology';
import {
  compatibilityOf,
  readBaseline,
  readExceptions,
  readOwnReleases,
  recordBaseline,
  recordOwnRelease,
} from './baseline.ts';
import { currentContract } from './contract.ts';

const usage = `npm run release -- check              lists what would break beside what is released
npm run release -- record             records the current commit as the previous release of all processes
npm run release -- record <process>   records what the current commit adds to one process that is released alone
All of it is in releases/.`;

function check(): boolean {
  const { breaking, unusedExceptions } = compatibilityOf(
    [readBaseline(), ...Object.values(readOwnReleases())],
    currentContract(),
    readExceptions(),
  );
  for (const change of breaking) console.log(`breaking: ${change}`);
  for (const change of unusedExceptions)
    console.log(`accepted, but there is no such change: ${change}`);
  const isCompatible = breaking.length + unusedExceptions.length === 0;
  if (isCompatible) console.log('compatible with what is released');
  return isCompatible;
}

const [command, name, ...rest] = process.argv.slice(2);
const released = topology.find((each) => each.name === name);
if (command === 'record' && name === undefined) {
  console.log(`recorded ${recordBaseline(currentContract())}; commit releases/`);
} else if (command === 'record' && released !== undefined && rest.length === 0) {
  const revision = recordOwnRelease(released.name, currentContract());
  console.log(`recorded ${revision} for ${released.name}; commit releases/`);
} else if (command === 'check' && name === undefined) {
  process.exitCode = check() ? 0 : 1;
} else {
  console.log(usage);
  process.exitCode = command === undefined ? 0 : 1;
}
