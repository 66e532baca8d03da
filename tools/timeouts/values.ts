import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import ts from '@typescript/typescript6';

/** A timeout, an interval, a lifetime or a number of attempts, as its file declares it. */
export interface TimeoutValue {
  /** The group and the name, for example `gateway.upstreamMs`. */
  id: string;
  /** In milliseconds, or a number of attempts. */
  value: number;
  isDuration: boolean;
  /** What the value limits: the first sentence of its comment. */
  what: string;
  /** Why it has this value: the other sentences. */
  why: string;
}

/** The values of one file that belong together. */
export interface TimeoutGroup {
  title: string;
  file: string;
  values: TimeoutValue[];
}

const root = join(import.meta.dirname, '../..');

const processes = [
  { name: 'gateway', folder: 'gateway/src', title: 'Gateway' },
  { name: 'catalog', folder: 'services/catalog/src', title: 'Catalog' },
  { name: 'registration', folder: 'services/registration/src', title: 'Registration' },
  { name: 'commerce', folder: 'services/commerce/src', title: 'Commerce' },
  { name: 'onsite', folder: 'services/onsite/src', title: 'Onsite' },
  { name: 'changes', folder: 'services/changes/src', title: 'Changes' },
  { name: 'console', folder: 'console/server/src', title: 'Console' },
  { name: 'sandbox', folder: 'payment-sandbox/src', title: 'Payment sandbox' },
  { name: 'identity', folder: 'identity-sandbox/src', title: 'Identity sandbox' },
  { name: 'operators', folder: 'tools/admin', title: 'Operator commands' },
];

const runtime = 'platform/src/core';

/** Reads all values. Errors: a value without a number, or without a comment of two sentences. */
export function readTimeouts(): TimeoutGroup[] {
  return [
    ...processes.flatMap(({ name, folder, title }) => [
      ...constantsOf(`${folder}/timeouts.ts`, read(`${folder}/timeouts.ts`), () => ({
        id: name,
        title,
      })),
      ...(folder === 'tools/admin' ? [] : settingsOf(`${folder}/config.ts`, name, title)),
    ]),
    ...constantsOf(`${runtime}/timeouts.ts`, read(`${runtime}/timeouts.ts`), groupOfConstant),
    ...settingsOf(`${runtime}/config.ts`, 'runtime', 'All processes'),
    ...readOtherFiles(),
  ].filter(({ values }) => values.length > 0);
}

const read = (file: string) => readFileSync(join(root, file), 'utf8');

/** `httpTimeouts` becomes `http`. The comment of the constant is the title. */
function groupOfConstant(name: string, comment: string) {
  return { id: name.replace(/Timeouts$/, ''), title: comment };
}

/** The exported objects of a `timeouts.ts`. */
export function constantsOf(
  file: string,
  text: string,
  groupOf: (name: string, comment: string) => { id: string; title: string },
): TimeoutGroup[] {
  return parse(file, text)
    .statements.filter(ts.isVariableStatement)
    .map((statement) => {
      const [declaration] = statement.declarationList.declarations;
      if (!declaration?.initializer || !ts.isObjectLiteralExpression(declaration.initializer))
        throw new Error(`${file}: expected an object of values`);
      const { id, title } = groupOf(declaration.name.getText(), commentOf(statement));
      const values = declaration.initializer.properties.map((property) => {
        if (!ts.isPropertyAssignment(property))
          throw new Error(`${file}: expected a number: ${property.getText()}`);
        return readValue(`${id}.${property.name.getText()}`, property, property.initializer);
      });
      return { title, file, values };
    });
}

/** The settings of a `config.ts` whose names end with a unit. Their values are the defaults. */
function settingsOf(file: string, id: string, title: string): TimeoutGroup[] {
  const values: TimeoutValue[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isPropertyAssignment(node) && /^[A-Z_]+_MS$/.test(node.name.getText())) {
      const initial = defaultOf(node.initializer);
      if (initial) values.push(readValue(`${id}.${node.name.getText()}`, node, initial));
    }
    ts.forEachChild(node, visit);
  };
  visit(parse(file, read(file)));
  return [{ title: `${title}: settings`, file, values }];
}

/** The argument of `.default(…)` at the end of a schema. */
function defaultOf(node: ts.Expression): ts.Expression | undefined {
  if (!ts.isCallExpression(node) || !ts.isPropertyAccessExpression(node.expression)) return;
  return node.expression.name.text === 'default' ? node.arguments[0] : undefined;
}

function readValue(id: string, node: ts.Node, expression: ts.Expression): TimeoutValue {
  const [, what = '', why = ''] = /^(.+?)\.\s+(\S.*\.)$/s.exec(commentOf(node)) ?? [];
  if (!what) throw new Error(`${id}: the comment must say what it limits, then why, as sentences`);
  const isDuration = /(Ms|Seconds|_MS)$/.test(id);
  if (!isDuration && !/Attempts$/.test(id)) throw new Error(`${id}: the name ends with no unit`);
  const factor = id.endsWith('Seconds') ? 1000 : 1;
  return { id, value: numberOf(id, expression) * factor, isDuration, what, why };
}

/** The value of a number or a product of numbers. */
function numberOf(id: string, node: ts.Expression): number {
  if (ts.isNumericLiteral(node)) return Number(node.text);
  if (ts.isBinaryExpression(node) && node.operatorToken.kind === ts.SyntaxKind.AsteriskToken)
    return numberOf(id, node.left) * numberOf(id, node.right);
  throw new Error(`${id}: expected a number or a product of numbers: ${node.getText()}`);
}

function commentOf(node: ts.Node): string {
  const [comment] = ts.getJSDocCommentsAndTags(node);
  const text = comment && ts.isJSDoc(comment) ? ts.getTextOfJSDocComment(comment.comment) : '';
  return (text ?? '').replaceAll(/\s+/g, ' ').trim();
}

const parse = (file: string, text: string) =>
  ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true);

/** Values of files that are not TypeScript modules of the platform. */
const otherFiles = [
  {
    title: 'Kubernetes',
    file: 'deploy/kubernetes/components/hardened/every-process.yaml',
    values: [
      {
        id: 'kubernetes.preStopSeconds',
        pattern: /preStop: \{ sleep: \{ seconds: (\d+) \} \}/,
        what: 'The pause before SIGTERM',
        why: 'Load balancers stop sending requests meanwhile.',
      },
      {
        id: 'kubernetes.terminationGracePeriodSeconds',
        pattern: /terminationGracePeriodSeconds: (\d+)/,
        what: 'A pod ends',
        why: 'It covers the pause and the drain; SIGKILL follows.',
      },
    ],
  },
  {
    title: 'Docker Compose',
    file: 'docker-compose.yml',
    values: [
      {
        id: 'compose.stopGracePeriodSeconds',
        pattern: /stop_grace_period: (\d+)s/,
        what: 'A container ends',
        why: 'It covers the drain; SIGKILL follows.',
      },
    ],
  },
];

const readOtherFiles = (): TimeoutGroup[] =>
  otherFiles.map(({ title, file, values }) => {
    const text = read(file);
    const toValue = ({ pattern, ...value }: (typeof values)[number]): TimeoutValue => {
      const [, seconds] = pattern.exec(text) ?? [];
      if (!seconds) throw new Error(`${file}: found no ${pattern.source}`);
      return { ...value, value: Number(seconds) * 1000, isDuration: true };
    };
    return { title, file, values: values.map(toValue) };
  });
