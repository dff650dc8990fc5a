/** What each endpoint has acknowledged, kept over restarts: what differs from the objects there are is still to be sent. */
import type { Clock } from '#base/clock.ts';
import { type Database, numberOf, textOf } from '../database/database.ts';
import type { BindingKey } from './binding-event.ts';

export interface DeliveryStore {
  /** The version each object was last acknowledged at. */
  acknowledged(endpoint: string): Promise<ReadonlyMap<BindingKey, string>>;
  /** That an object may be known to the endpoint from now on. */
  expect(endpoint: string, key: BindingKey): Promise<void>;
  acknowledge(endpoint: string, key: BindingKey, version: string): Promise<void>;
  /** For an object that is gone: nothing is left to be told of it. */
  forget(endpoint: string, key: BindingKey): Promise<void>;
  nextSequence(endpoint: string): Promise<number>;
  forgetEndpoint(endpoint: string): Promise<void>;
}

export function deliveryStore({
  database,
  clock,
}: {
  readonly database: Database;
  readonly clock: Clock;
}): DeliveryStore {
  const sequenceOf = (endpoint: string) => `webhook/${endpoint}`;
  return {
    async acknowledged(endpoint) {
      const rows = await database.query('SELECT object, version FROM ghippo_deliveries WHERE endpoint = $1', [
        endpoint,
      ]);
      return new Map(rows.map((row) => [textOf(row, 'object'), textOf(row, 'version')]));
    },
    async expect(endpoint, key) {
      await database.query(
        `INSERT INTO ghippo_deliveries (endpoint, object, version, delivered_at) VALUES ($1, $2, $3, $4)
         ON CONFLICT (endpoint, object) DO NOTHING`,
        [endpoint, key, '', 0],
      );
    },
    async acknowledge(endpoint, key, version) {
      await database.query(
        `INSERT INTO ghippo_deliveries (endpoint, object, version, delivered_at) VALUES ($1, $2, $3, $4)
         ON CONFLICT (endpoint, object) DO UPDATE SET version = excluded.version, delivered_at = excluded.delivered_at`,
        [endpoint, key, version, clock.now()],
      );
    },
    async forget(endpoint, key) {
      await database.query('DELETE FROM ghippo_deliveries WHERE endpoint = $1 AND object = $2', [endpoint, key]);
    },
    async nextSequence(endpoint) {
      const [row] = await database.query(
        `INSERT INTO ghippo_sequences AS s (id, value) VALUES ($1, 1)
         ON CONFLICT (id) DO UPDATE SET value = s.value + 1 RETURNING value`,
        [sequenceOf(endpoint)],
      );
      return numberOf(row ?? {}, 'value');
    },
    async forgetEndpoint(endpoint) {
      await database.query('DELETE FROM ghippo_deliveries WHERE endpoint = $1', [endpoint]);
      await database.query('DELETE FROM ghippo_sequences WHERE id = $1', [sequenceOf(endpoint)]);
    },
  };
}
