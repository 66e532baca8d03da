import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import ts from '@typescript/typescript6';

const TEST = /\.test\.ts$|(?<!^tools)\/test\/|^tests\/(e2e|support)\/|^platform\/testing\//;

/**
 * The files that read the time: provisioning, the browser and the client do not import the
 * platform.
 */
const CLOCKS = [
  'clients/mcp/src/tools/checkin-warnings.ts',
  'clients/typescript/src/cli/main.ts',
  'clients/typescript/src/verify-webhook.ts',
  'console/scanner/src/api/clock.ts',
  'console/web/src/format/clock.ts',
  'platform/src/core/clock.ts',
  'deploy/provisioning/backup/clock.ts',
  'load-tests/scenarios/lib/clock.ts',
];

interface SyntaxRule {
  name: string;
  /** Whether the rule applies to this file, a path relative to the root. */
  appliesTo: (file: string) => boolean;
  isBroken: (node: ts.Node) => boolean;
}

const rules: SyntaxRule[] = [
  {
    name: 'environment-only-in-config',
    appliesTo: (file) =>
      /^(contracts|rules|platform|gateway|services|console\/server|identity-sandbox)\//.test(
        file,
      ) &&
      !TEST.test(file) &&
      !/\/config\.ts$/.test(file),
    isBroken: (node) => isMember(node, 'process', 'env') || importsProcess(node),
  },
  {
    name: 'time-only-from-the-clock',
    appliesTo: (file) => !CLOCKS.includes(file) && !TEST.test(file),
    isBroken: (node) => isMember(node, 'Date', 'now') || readsCurrentDate(node),
  },
  {
    name: 'timeouts-in-their-file',
    appliesTo: (file) =>
      /^(platform|gateway|payment-sandbox|identity-sandbox|console\/server|services\/\w+)\/src\//.test(
        file,
      ) &&
      !TEST.test(file) &&
      !/\/timeouts\.ts$/.test(file),
    isBroken: isTimeout,
  },
  {
    name: 'texts-in-the-catalog',
    appliesTo: (file) => /^console\/web\/src\/.+\.tsx$/.test(file),
    isBroken: (node) => ts.isJsxText(node) && /\p{L}{2}/u.test(node.text),
  },
  {
    name: 'rules-are-not-async',
    appliesTo: (file) => /\.rules\.ts$|^rules\/src\/(?!.+\.test\.ts$)/.test(file),
    isBroken: (node) => node.kind === ts.SyntaxKind.AsyncKeyword || ts.isAwaitExpression(node),
  },
  {
    name: 'main-has-at-most-25-lines',
    appliesTo: (file) => /\/src\/main\.ts$/.test(file),
    isBroken: (node) => ts.isSourceFile(node) && node.text.trimEnd().split('\n').length > 25,
  },
];

export const syntaxRuleNames = rules.map(({ name }) => name);

/**
 * Finds uses of the environment, the clock or `async` that the rules forbid, and long entry points.
 * Returns one line for each. `files` are relative to `root`.
 */
export function forbiddenSyntax(root: string, files: string[]): string[] {
  return files.flatMap((file) => {
    const applying = rules.filter((rule) => rule.appliesTo(file));
    if (applying.length === 0) return [];
    const text = readFileSync(join(root, file), 'utf8');
    const source = ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true);
    return applying.flatMap((rule) => {
      return findAll(source, rule.isBroken).map((node) => {
        const { line } = source.getLineAndCharacterOfPosition(node.getStart());
        return `${rule.name}: ${file}:${line + 1} ${node.getText().split('\n')[0]}`;
      });
    });
  });
}

function findAll(root: ts.Node, matches: (node: ts.Node) => boolean): ts.Node[] {
  const found: ts.Node[] = [];
  const visit = (node: ts.Node) => {
    if (matches(node)) found.push(node);
    ts.forEachChild(node, visit);
  };
  visit(root);
  return found;
}

/** Matches `process.env`, `process['env']` and `const { env } = process`. */
function isMember(node: ts.Node, object: string, member: string): boolean {
  if (ts.isPropertyAccessExpression(node)) {
    return node.name.text === member && isNamed(node.expression, object);
  }
  if (ts.isElementAccessExpression(node)) {
    const key = node.argumentExpression;
    return ts.isStringLiteral(key) && key.text === member && isNamed(node.expression, object);
  }
  if (ts.isVariableDeclaration(node) && ts.isObjectBindingPattern(node.name)) {
    const isDestructured = node.name.elements.some(({ name, propertyName }) => {
      return isNamed(propertyName ?? name, member);
    });
    return isDestructured && node.initializer !== undefined && isNamed(node.initializer, object);
  }
  return false;
}

function importsProcess(node: ts.Node): boolean {
  if (!ts.isImportDeclaration(node) || !ts.isStringLiteral(node.moduleSpecifier)) return false;
  return /^(node:)?process$/.test(node.moduleSpecifier.text);
}

/** Matches `new Date()` and `Date()`. `new Date(value)` only converts a value. */
function readsCurrentDate(node: ts.Node): boolean {
  if (ts.isNewExpression(node)) {
    return isNamed(node.expression, 'Date') && (node.arguments ?? []).length === 0;
  }
  return ts.isCallExpression(node) && isNamed(node.expression, 'Date');
}

/** Matches a number with the name of a duration, for example `pollIntervalMs = 250`. */
function isTimeout(node: ts.Node): boolean {
  const hasName =
    ts.isVariableDeclaration(node) ||
    ts.isPropertyAssignment(node) ||
    ts.isParameter(node) ||
    ts.isBindingElement(node);
  if (!hasName || !node.initializer) return false;
  const name = node.name.getText();
  const isDuration = /(Ms|Millis|Seconds|[tT]imeout|[iI]nterval|Attempts)$/.test(name);
  if (!isDuration || /Per[A-Z]/.test(name)) return false;
  const [digits = '0'] = /^[\d_]+/.exec(node.initializer.getText()) ?? [];
  // Zero and one are the start of a count.
  return Number(digits.replaceAll('_', '')) > 1;
}

function isNamed(node: ts.Node, name: string): boolean {
  return ts.isIdentifier(node) && node.text === name;
}
