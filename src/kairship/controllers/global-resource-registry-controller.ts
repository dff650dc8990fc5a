/** Keeps the identity module knowing what the platform can do: permission points and types of resources. */
import { PRODUCT, registerProduct } from '#ghippo/apis/index.ts';
import type { KubeClient } from '#kube/client/kube-client.ts';
import { type Controller, done } from '#kube/runtime/index.ts';
import { KAIRSHIP_PRODUCT, kairshipProduct } from '../access/kairship-product.ts';
import { KPANDA_PRODUCT, kpandaProduct } from '../access/kpanda-product.ts';

const OURS = new Map([
  [KAIRSHIP_PRODUCT, kairshipProduct],
  [KPANDA_PRODUCT, kpandaProduct],
]);

export function globalResourceRegistryController({ client }: { readonly client: KubeClient }): Controller {
  return {
    name: 'global-resource-registry',
    watches: [{ gvr: PRODUCT, wakes: ({ metadata: { name } }) => (OURS.has(name) ? [name] : []) }],
    // A registration that is not there wakes nobody.
    source: (wake) => OURS.forEach((_, name) => wake(name)),
    async reconcile({ key }) {
      const spec = OURS.get(key);
      if (spec) await registerProduct(client, key, spec);
      return done;
    },
  };
}
