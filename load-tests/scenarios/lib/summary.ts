interface Metric {
  type: string;
  values: Record<string, number>;
  thresholds?: Record<string, { ok: boolean }>;
}

const escaped = (text: string) =>
  text.replace(/&/g, '&amp;').replace(/</g, '&lt;').replace(/"/g, '&quot;');

/** Returns the thresholds as JUnit test cases. */
function toJUnit(metrics: Record<string, Metric>): string {
  const cases = Object.entries(metrics).flatMap(([name, { thresholds = {}, values }]) =>
    Object.entries(thresholds).map(([rule, { ok }]) => {
      const title = `<testcase classname="thresholds" name="${escaped(`${name} ${rule}`)}"`;
      const found = `<failure message="${escaped(JSON.stringify(values))}"/>`;
      return { ok, xml: ok ? `${title}/>` : `${title}>${found}</testcase>` };
    }),
  );
  const failures = cases.filter(({ ok }) => !ok).length;
  const rows = cases.map(({ xml }) => `  ${xml}\n`).join('');
  return `<testsuite name="load" tests="${cases.length}" failures="${failures}">\n${rows}</testsuite>\n`;
}

const rounded = (value: number) => Math.round(value * 100) / 100;

function toLines(metrics: Record<string, Metric>): string {
  const lines = Object.entries(metrics).map(([name, { values, thresholds = {} }]) => {
    const figures = Object.entries(values).map(([key, value]) => `${key}=${rounded(value)}`);
    const rules = Object.entries(thresholds).map(([rule, { ok }]) => ` ${ok ? '✓' : '✗'} ${rule}`);
    return `  ${name}: ${figures.join(' ')}${rules.join('')}`;
  });
  return `${lines.sort().join('\n')}\n`;
}

/** Writes the k6 summary to the terminal and, into the directory RESULTS, as JSON and as JUnit. */
export function handleSummary(data: { metrics: Record<string, Metric> }): Record<string, string> {
  const stdout = toLines(data.metrics);
  const results = __ENV.RESULTS;
  if (!results) return { stdout };
  return {
    stdout,
    [`${results}/summary.json`]: JSON.stringify(data, null, 2),
    [`${results}/junit.xml`]: toJUnit(data.metrics),
  };
}
