/**
 * The environment of a program that a user starts: nothing of the test run but the search path, and
 * the cache of compiled code, because many tests start the same program.
 */
export const userEnvironment = (): NodeJS.ProcessEnv => ({
  PATH: process.env.PATH,
  NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE,
});
