/** What a tool reports: a rule that an object violates. */
export interface Finding {
  tool: string;
  rule: string;
  /** What the rule says. */
  title: string;
  /** `<kind>/<name>`, without the hash of a job, or `<file>:<line>`. */
  object: string;
}

/** A finding that stays, and why. */
export interface Accepted {
  tool: string;
  rule: string;
  /** Of a rule with several titles, only this one. */
  title?: string;
  /** The objects, with `*` for any text. */
  objects: readonly string[];
  reason: string;
}

export interface Triage {
  /** Findings that nothing accepts. */
  open: Finding[];
  /** Accepted findings that no tool reports, with the objects that are not found. */
  unused: { rule: string; object: string }[];
}

/** Compares what the tools report with what is accepted. */
export function triage(findings: readonly Finding[], accepted: readonly Accepted[]): Triage {
  const accepts = (each: Accepted, finding: Finding, object: string) =>
    each.tool === finding.tool &&
    each.rule === finding.rule &&
    (each.title ?? finding.title) === finding.title &&
    matches(object, finding.object);
  return {
    open: findings.filter(
      (finding) =>
        !accepted.some((each) => each.objects.some((object) => accepts(each, finding, object))),
    ),
    unused: accepted.flatMap((each) =>
      each.objects
        .filter((object) => !findings.some((finding) => accepts(each, finding, object)))
        .map((object) => ({ rule: each.rule, object })),
    ),
  };
}

function matches(pattern: string, text: string): boolean {
  const parts = pattern.split('*').map((part) => part.replace(/[.+?^${}()|[\]\\]/g, '\\$&'));
  return new RegExp(`^${parts.join('.*')}$`).test(text);
}
