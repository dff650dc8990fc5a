/**
 * What stays open through the proxy: watches, logs, terminals. Whoever loses the right to one loses the connection.
 *
 * An instance judges a request when it begins. So each that goes on is looked at again every other second: a caller who
 * is signed out, disabled or without rights by now, or somebody else inside the instance than when it began, is cut off,
 * as is whoever uses something that is gone.
 * That nobody can tell at the moment is no reason to.
 */
import { type Clock, systemClock } from '#base/clock.ts';
import { jsonEqual } from '#base/json.ts';
import { hasReason } from '#base/status-error.ts';
import type { Caller } from './instance-proxy.ts';

export interface OpenExchanges {
  /** `admitted` says as whom the caller is let in now, or throws; `end` cuts them off. Call the answer when it is over. */
  add(caller: Caller, admitted: () => Promise<Caller>, end: () => void): () => void;
}

interface Exchange {
  readonly caller: Caller;
  readonly admitted: () => Promise<Caller>;
  readonly end: () => void;
}

const EVERY_MS = 2_000;

export function openExchanges({ clock = systemClock }: { readonly clock?: Clock } = {}): OpenExchanges {
  const open = new Set<Exchange>();
  let isPlanned = false;

  function plan(): void {
    if (isPlanned || open.size === 0) return;
    isPlanned = true;
    clock.after(EVERY_MS, () => void lookAtAll());
  }

  async function lookAtAll(): Promise<void> {
    await Promise.all([...open].map(look));
    isPlanned = false;
    plan();
  }

  async function look(exchange: Exchange): Promise<void> {
    try {
      const { user, groups } = await exchange.admitted();
      const { caller } = exchange;
      if (user === caller.user && jsonEqual(groups, caller.groups)) return;
    } catch (error) {
      if (!hasReason(error, 'Unauthorized', 'Forbidden', 'NotFound')) return;
    }
    if (open.delete(exchange)) exchange.end();
  }

  return {
    add(caller, admitted, end) {
      const exchange = { caller, admitted, end };
      open.add(exchange);
      plan();
      return () => void open.delete(exchange);
    },
  };
}
