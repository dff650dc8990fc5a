export type { EtcdStoreOptions } from './etcd/etcd-store.ts';
export { compareKeys } from './key-order.ts';
export { memoryStore } from './memory-store.ts';
export { type SqliteStoreOptions, sqliteStore } from './sqlite-store.ts';
export type { Change, Entry, Listing, Page, Revision, Store } from './store.ts';
export { conflictingRevision, StoreConflict } from './store-error.ts';
