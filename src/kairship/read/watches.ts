/** Changes of what an instance or a member holds, from the index: for consoles that stay up to date by themselves. */
import type { Clock } from '#base/clock.ts';
import { StatusError } from '#base/status-error.ts';
import { watchIndex } from '#kpanda/index/watch-index.ts';
import type { IndexReader } from '#kpanda/index/store/index-store.ts';
import { parseLabelSelector } from '#kube/meta/label-selector.ts';
import type { KubeObject } from '#kube/meta/object.ts';
import type { Reach } from '#ghippo/decision/index.ts';
import { accessIn, type Place, sourceOf } from './reads.ts';

export interface WatchRequest {
  readonly place: Place;
  readonly apiVersion: string;
  readonly kind: string;
  readonly namespace?: string;
  readonly labelSelector?: string;
  readonly reach: Reach;
  /** Only changes after this revision of the index; everything first when absent. */
  readonly after?: number;
  readonly signal: AbortSignal;
}

export type ObjectChange =
  | { readonly type: 'ADDED' | 'MODIFIED' | 'DELETED'; readonly object: KubeObject; readonly revision: number }
  | { readonly type: 'BOOKMARK'; readonly revision: number };

export type Watches = (request: WatchRequest) => AsyncGenerator<ObjectChange>;

export function watches(index: IndexReader, clock: Clock): Watches {
  return async function* (request) {
    const { place, apiVersion, kind, signal } = request;
    const known = await index.kinds();
    const [group, version] = apiVersion.includes('/') ? apiVersion.split('/') : ['', apiVersion];
    const found = known.filter((each) => each.kind === kind && each.group === group);
    const exact = found.filter((each) => each.version === version);
    const kinds = exact.length > 0 ? exact : found;
    if (kinds.length === 0)
      throw new StatusError('NotFound', `nothing of kind ${kind} in ${apiVersion} has been collected`);
    const query = {
      kinds: kinds.map(({ id }) => id),
      clusters: [sourceOf(place)],
      ...(request.namespace ? { namespaces: [request.namespace] } : {}),
      ...(request.labelSelector ? { labels: parseLabelSelector(request.labelSelector) } : {}),
    };
    const options = { clock, signal, ...(request.after === undefined ? {} : { after: request.after }) };
    for await (const event of watchIndex(index, query, accessIn(place, request.reach), options)) {
      if (event.type === 'BOOKMARK') yield { type: 'BOOKMARK', revision: event.revision };
      else
        yield {
          type: event.type,
          object: JSON.parse(event.object.body) as KubeObject,
          revision: event.object.revision,
        };
    }
  };
}
