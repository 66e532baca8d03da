/** An image of another project: its tag, and the digest that its registry serves for the tag. */
export interface PinnedImage {
  tag: string;
  /** `null` until a registry was read. */
  digest: string | null;
}

/** The images of other projects by their names: `postgres`, `ghcr.io/grafana/k6-operator`. */
export type PinnedImages = Readonly<Record<string, PinnedImage>>;

/** A name with its tag, and with its digest if it is set: `postgres:18@sha256:…`. */
export const referenceTo = (name: string, { tag, digest }: PinnedImage): string =>
  `${name}:${tag}${digest === null ? '' : `@${digest}`}`;

export const isDigest = (text: string): boolean => /^sha256:[0-9a-f]{64}$/.test(text);

/** The name of a reference: without tag and digest. The port of a registry belongs to the name. */
export const nameOf = (reference: string): string =>
  reference.replace(/@.*$/, '').replace(/:[^:/]*$/, '');

/** An image of this repository. A release sets its digest, in the overlay of its process. */
const isOwn = (reference: string): boolean => /(^|\/)event-api-[a-z-]+([:@]|$)/.test(reference);

/** Where a file refers to an image: in a field of YAML, or as an argument of a Dockerfile. */
const PLACE = /^((?:.*(?<![\w-])(?:image|imageName): +|ARG \w*IMAGE=)["']?)([^\s"'$&*{},]+)/gm;

/** A line of a file whose reference differs from the list. */
export type Difference = { line: number; reference: string } & (
  | { kind: 'other'; expected: string }
  | { kind: 'unlisted' }
);

/** The references in a text that differ from the list, in their order. */
export function differencesIn(text: string, images: PinnedImages): Difference[] {
  return [...text.matchAll(PLACE)].flatMap((match): Difference[] => {
    const [, before = '', reference = ''] = match;
    if (isOwn(reference)) return [];
    const line = text.slice(0, match.index + before.length).split('\n').length;
    const name = nameOf(reference);
    const image = images[name];
    if (image === undefined) return [{ line, reference, kind: 'unlisted' }];
    const expected = referenceTo(name, image);
    return reference === expected ? [] : [{ line, reference, kind: 'other', expected }];
  });
}

/** A text with the references of the list. Others stay as they are. */
export const withReferences = (text: string, images: PinnedImages): string =>
  text.replace(PLACE, (place: string, before: string, reference: string) => {
    const name = nameOf(reference);
    const image = images[name];
    return image === undefined ? place : `${before}${referenceTo(name, image)}`;
  });

/** The names of the images to which a text refers. */
export const namesIn = (text: string): string[] =>
  [...text.matchAll(PLACE)].flatMap(([, , reference = '']) =>
    isOwn(reference) ? [] : [nameOf(reference)],
  );
