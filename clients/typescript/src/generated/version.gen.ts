// The version of the API that the types describe.
export const apiVersion = '2026-08-22';
