export { type Containment, containers, type ScopeTree } from './containment.ts';
export { decide } from './decide.ts';
export type { EffectiveRole } from './effective-role.ts';
export { type Authorizer, type LiveSnapshot, liveSnapshot } from './live-snapshot.ts';
export { type Reach, reach } from './reach.ts';
export { type AccessObjects, type AccessSnapshot, accessSnapshot, NO_OBJECTS } from './snapshot.ts';
export type * from './verdict.ts';
