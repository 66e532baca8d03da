import { statusWords } from '../errors.ts';

type Parts = Record<string, object>;

interface Operation {
  parameters?: object[];
  responses?: Parts;
}

/** The parts of a document that are shared. */
interface Document {
  paths?: Record<string, Record<string, Operation>>;
  components?: Record<string, Parts>;
}

/**
 * Moves the parameters and the error responses that several operations have into the components.
 * Error responses are named by their status word, such as `Aborted`, parameters by their own name.
 * Without this a document is three times as large, and generators write a type of each response of
 * each operation. Changes the document.
 */
export function shareComponents<D extends object>(document: D): D {
  const { paths = {}, components = {} } = document as Document;
  const operations = Object.values(paths).flatMap((methods) => Object.values(methods));
  const responses = createShared('responses');
  const parameters = createShared('parameters');
  for (const each of operations) {
    for (const [, response] of errorsOf(each)) responses.count(response);
    for (const parameter of each.parameters ?? []) parameters.count(parameter);
  }
  for (const each of operations) {
    for (const [status, response] of errorsOf(each)) {
      const word = statusWords[Number(status) as keyof typeof statusWords] ?? 'OTHER_ERROR';
      Object.assign(each.responses ?? {}, { [status]: responses.share(response, word) });
    }
    each.parameters &&= each.parameters.map((parameter) =>
      parameters.share(parameter, (parameter as { name?: string }).name ?? 'parameter'),
    );
  }
  const shared = { responses: responses.parts, parameters: parameters.parts };
  return Object.assign(document, { components: { ...components, ...shared } });
}

const errorsOf = ({ responses = {} }: Operation) =>
  Object.entries(responses).filter(([status]) => status >= '400');

/** Collects the parts of one kind, by their content. */
function createShared(kind: 'responses' | 'parameters') {
  const counts = new Map<string, number>();
  const names = new Map<string, string>();
  const parts: Parts = {};
  return {
    parts,
    count(part: object): void {
      const text = JSON.stringify(part);
      counts.set(text, (counts.get(text) ?? 0) + 1);
    },
    /** Returns the reference of a part that occurs more than once, and any other part as it is. */
    share(part: object, word: string): object {
      const text = JSON.stringify(part);
      if (counts.get(text) === 1) return part;
      const name = names.get(text) ?? freeName(word, parts);
      names.set(text, name);
      parts[name] = part;
      return { $ref: `#/components/${kind}/${name}` };
    },
  };
}

/** `NotFound` for `NOT_FOUND`, or `NotFound2` for another part of the same name. */
function freeName(word: string, taken: Parts): string {
  const base = word
    .replaceAll(/[A-Z]{2,}/g, (part) => part.toLowerCase())
    .replaceAll(/(?:^|[_-])(\w)/g, (_, letter: string) => letter.toUpperCase());
  for (let n = 1; ; n++) {
    const name = n === 1 ? base : `${base}${n}`;
    if (!(name in taken)) return name;
  }
}
