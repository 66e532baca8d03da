import ts from '@typescript/typescript6';

/**
 * The full titles of the tests in a file: the titles of its groups and its own, in the order of the
 * file.
 */
export function titlesOf(file: string, text: string): string[] {
  const source = ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true);
  return titlesBelow(source, []);
}

function titlesBelow(node: ts.Node, groups: readonly string[]): string[] {
  const declared = declarationOf(node);
  if (declared?.kind === 'test' || declared?.kind === 'it') {
    return [[...groups, declared.title].join(' › ')];
  }
  const inner = declared ? [...groups, declared.title] : groups;
  const titles: string[] = [];
  ts.forEachChild(node, (child) => {
    titles.push(...titlesBelow(child, inner));
  });
  return titles;
}

/** A call such as `test('…', …)`, `describe.each(…)('…', …)` or `test.skipIf(…)('…', …)`. */
function declarationOf(node: ts.Node): { kind: string; title: string } | undefined {
  if (!ts.isCallExpression(node)) return;
  const [title] = node.arguments;
  const kind = rootOf(node.expression);
  if (!/^(describe|test|it)$/.test(kind) || !title) return;
  if (ts.isStringLiteralLike(title)) return { kind, title: title.text };
  if (ts.isTemplateExpression(title)) return { kind, title: title.getText().slice(1, -1) };
  return;
}

/** `test` for `test.runIf(…)` and for `test`. */
function rootOf(expression: ts.Expression): string {
  if (ts.isIdentifier(expression)) return expression.text;
  if (ts.isPropertyAccessExpression(expression)) return rootOf(expression.expression);
  return ts.isCallExpression(expression) ? rootOf(expression.expression) : '';
}
