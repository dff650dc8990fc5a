export * from './controller.ts';
export {
  type Informer,
  type InformerDeps,
  type InformerOptions,
  type Informers,
  informer,
  informers,
} from './informer.ts';
export { type Manager, type ManagerDeps, manager } from './manager.ts';
export type { Change, Indexer } from './object-cache.ts';
export { type Queue, type QueueOptions, queue } from './queue.ts';
export { type Reflection, reflect, type Scope } from './reflector.ts';
export { type EventRecorder, type EventRecorderDeps, eventRecorder } from './events.ts';
export { fenced } from './fenced.ts';
export { type Election, type ElectionOptions, type Leadership, leaseElection } from './lease-election.ts';
