/**
 * The module of undici that has its agent. The package as a whole also loads an implementation of
 * fetch, WebSockets, caches and mocks: 3 MB and 40 ms for each process. Source: ADR 0048.
 */
declare module 'undici/lib/dispatcher/agent.js' {
  export { Agent as default } from 'undici';
}
