import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { inputSchema } from '@event-api/contracts/operator/command';
import { operatorOperations } from '@event-api/contracts/operator/operations';
import { expect, test } from 'vitest';
import { allFaults } from '../faults/schedule.ts';
import { namedDrill, namedDrills } from '../named.ts';

const root = join(import.meta.dirname, '../../..');
const page = readFileSync(join(root, 'docs/runbook.md'), 'utf8');
const named = (pattern: RegExp) => [
  ...new Set([...page.matchAll(pattern)].map(([, name = '']) => name)),
];
/** Whether this is a test file without its ending. */
const isTest = (file: string) =>
  ['test.ts', 'slow.test.ts'].some((ending) => existsSync(join(root, `${file}.${ending}`)));

test('the runbook names existing drills, commands and tests', () => {
  const drills = named(/npm run drill -- ([a-z][a-z-]*)/g);
  expect(drills.length).toBeGreaterThan(4);
  expect(Object.keys(namedDrills)).toEqual(expect.arrayContaining(drills));

  const commands = named(/npm run -s admin -- ([a-z]+\.[a-zA-Z]+)/g);
  expect(commands.length).toBeGreaterThan(3);
  const existing = operatorOperations.map(({ config }) => config.operationId);
  expect(existing).toEqual(expect.arrayContaining(commands));

  const tests = named(/npm test -- ([a-z0-9/-]+)/g);
  expect(tests.length).toBeGreaterThan(2);
  for (const file of tests) expect(isTest(file), file).toBe(true);
});

test('the inputs of documented operator commands fit their schemas', () => {
  const readme = readFileSync(join(root, 'deploy/README.md'), 'utf8');
  const documented = [
    ...`${page}\n${readme}`.matchAll(
      /(?:admin --|admin\.ts|admin) ([a-z]+\.[a-zA-Z]+) '(\{[^']*\})'/g,
    ),
  ];
  expect(documented.length).toBeGreaterThan(10);
  for (const [command, name, json = ''] of documented) {
    // Placeholders: a service, and ids of any length.
    const input = JSON.parse(json.replace('"service":"…"', '"service":"catalog"'), (_, value) =>
      typeof value === 'string' ? value.replace('…', '01m84fkmfa2xyakvbcsm4bjm64') : value,
    );
    const matching = operatorOperations.filter(({ config }) => config.operationId === name);
    const fits = matching.some((operation) => {
      const declared = Object.keys(inputSchema(operation).properties ?? {});
      const hasOnlyDeclared = Object.keys(input).every((field) => declared.includes(field));
      return hasOnlyDeclared && operation.schema.body?.safeParse(input).success;
    });
    expect(fits, command).toBe(true);
  }
});

test('a named drill injects its faults, each once unless it runs on hosts, and no others', () => {
  for (const [name, { summary: _, ...drill }] of Object.entries(namedDrills)) {
    const { faults } = drill;
    expect(namedDrill(name)).toEqual(drill.onHosts ? drill : { ...drill, once: true });
    expect(faults.length, name).toBeGreaterThan(0);
  }
  expect(namedDrill(undefined)).toEqual({});
  expect(() => namedDrill('moon')).toThrow('no drill moon');
});

test('the coverage table of the README names existing faults and tests', () => {
  const readme = readFileSync(join(root, 'tests/drills/README.md'), 'utf8');
  const [, table = ''] = readme.split('## What is proven where');
  const rows = table.split('\n').filter((line) => /^\| [^-W]/.test(line));
  expect(rows.length).toBeGreaterThan(20);
  const faults = [...allFaults, ...Object.values(namedDrills).flatMap((drill) => drill.faults)];
  const namesIn = (cell = '') => [...cell.matchAll(/`([^`]+)`/g)].map(([, name = '']) => name);
  for (const row of rows) {
    const [, , faultCell, testCell] = row.split('|');
    for (const name of namesIn(faultCell)) {
      const pattern = new RegExp(`^${name.replace(/<[a-z]+>/, '.+')}$`);
      expect(
        faults.some((fault) => pattern.test(fault.name)),
        name,
      ).toBe(true);
    }
    const tests = namesIn(testCell).filter((name) => name.includes('/'));
    for (const file of tests) expect(isTest(file), file).toBe(true);
  }
});
