/** The keys a controller's watches wake, from shared informers. */
import { groupResource } from '#kube/meta/gvk.ts';
import { keyOf } from '#kube/meta/object.ts';
import type { Controller, Watch } from './controller.ts';
import type { Informer, Informers } from './informer.ts';

export interface WatchedKeys {
  readonly synced: Promise<unknown>;
  /** The resources whose state is not complete yet, for people. */
  readonly waitingFor: () => readonly string[];
  readonly unsubscribe: () => void;
}

export function watchedKeys({ watches }: Controller, shared: Informers, wake: (key: string) => void): WatchedKeys {
  const followed = watches.map((watch) => {
    const { gvr, namespace, labelSelector, fieldSelector } = watch;
    const informer = shared(gvr, {
      ...(namespace === undefined ? {} : { namespace }),
      ...(labelSelector === undefined ? {} : { labelSelector }),
      ...(fieldSelector === undefined ? {} : { fieldSelector }),
    });
    return { informer, unsubscribe: subscribe(watch, informer, wake) };
  });
  return {
    synced: Promise.all(followed.map(({ informer }) => informer.synced)),
    waitingFor: () =>
      followed.filter(({ informer }) => !informer.isSynced()).map(({ informer }) => groupResource(informer.gvr)),
    unsubscribe() {
      for (const { unsubscribe } of followed) unsubscribe();
    },
  };
}

function subscribe(watch: Watch, informer: Informer, wake: (key: string) => void): () => void {
  if (!watch.wakes) return informer.subscribe(({ object }) => wake(keyOf(object)));
  return informer.subscribe(({ type, object, old }) => {
    for (const key of watch.wakes?.(object, old, type) ?? []) wake(key);
  });
}
