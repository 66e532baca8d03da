import { compatibilityOf, readBaseline, readExceptions, recordBaseline } from './baseline.ts';
import { currentContract } from './contract.ts';

const usage = `npm run release -- check    lists what would break beside the previous release
npm run release -- record   records the current commit as the previous release (releases/baseline.json)`;

function check(): boolean {
  const { breaking, unusedExceptions } = compatibilityOf(
    readBaseline(),
    currentContract(),
    readExceptions(),
  );
  for (const change of breaking) console.log(`breaking: ${change}`);
  for (const change of unusedExceptions)
    console.log(`accepted, but there is no such change: ${change}`);
  const isCompatible = breaking.length + unusedExceptions.length === 0;
  if (isCompatible) console.log('compatible with the previous release');
  return isCompatible;
}

const [command] = process.argv.slice(2);
if (command === 'record') {
  console.log(`recorded ${recordBaseline(currentContract())}; commit releases/`);
} else if (command === 'check') {
  process.exitCode = check() ? 0 : 1;
} else {
  console.log(usage);
  process.exitCode = command === undefined ? 0 : 1;
}
