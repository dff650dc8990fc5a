/** The index: everything in every cluster, searchable.
 * {@link sqlIndexReader} reads it, {@link indexCollector} fills it, {@link indexHandler} serves it. */
export { awaitRevisions, type Demand, type Unmet } from './await-revision.ts';
export { type Collector, type CollectorDeps, indexCollector } from './collect/collector.ts';
export { chosenKinds, type KindSelection, LEFT_OUT } from './collect/chosen-kinds.ts';
export { CLUSTER_ANNOTATION, type IndexedObject, indexedObject, VALUES_OMITTED_ANNOTATION } from './indexed-object.ts';
export type { Access, Grant } from './query/access.ts';
export { parseQuery, type QueryScope } from './query/parse-query.ts';
export type { FieldTest, Order, Owner, Query } from './query/query.ts';
export { type IndexHandler, type IndexHandlerDeps, indexHandler } from './serve/index-handler.ts';
export { INDEX_ROOT } from './serve/index-path.ts';
export type * from './store/index-store.ts';
export { prepareIndex } from './store/open-index.ts';
export { type PostgresDatabaseOptions, postgresDatabase } from './store/postgres-database.ts';
export type { SqlDatabase } from './store/sql-database.ts';
export { sqlIndexReader } from './store/sql-index-reader.ts';
export { sqlIndexWriter } from './store/sql-index-writer.ts';
export { type SqliteDatabaseOptions, sqliteDatabase } from './store/sqlite-database.ts';
export { type IndexEvent, watchIndex } from './watch-index.ts';
