/** A path of the documentation at the begin of a link, of a string or of a piece of code. */
const link = /(?<=["'`(>])\/(?=docs\/|docs(?=["'`)<])|openapi\.json|llms\.txt)/g;

/**
 * Returns a text of the documentation whose links stay below `basePath`, so that the pages of a
 * cell lead to its own.
 */
export const withBasePath = (text: string, basePath: string): string =>
  basePath === '' ? text : text.replaceAll(link, `${basePath}/`);
