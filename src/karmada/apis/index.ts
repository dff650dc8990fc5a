/** Karmada's API as types, names and schemas: what every part of the engine, and Kairship, agrees on. */
export * from './binding.ts';
export * from './cluster.ts';
export * from './conditions.ts';
export * from './event-reasons.ts';
export * from './go-json.ts';
export * from './override-policy.ts';
export * from './propagation-policy.ts';
export * from './resources.ts';
export * from './selector.ts';
export * from './well-known.ts';
export * from './work.ts';
export * from './crds/index.ts';
