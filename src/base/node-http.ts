/**
 * `node:http`, without what comes with it.
 *
 * An import makes a module of it, which looks at all its exports, and some of them load a whole other HTTP client when
 * looked at: 12 MB and 40 ms that no program here needs. Types are imported from `node:http` as ever.
 */
export const { Agent, createServer, request } = process.getBuiltinModule('node:http');
