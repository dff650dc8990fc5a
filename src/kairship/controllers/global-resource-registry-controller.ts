/** Keeps the identity module knowing what Kairship can do: its permission points and the types of its resources. */
import { PRODUCT, registerProduct } from '#ghippo/apis/index.ts';
import type { KubeClient } from '#kube/client/kube-client.ts';
import { type Controller, done } from '#kube/runtime/index.ts';
import { KAIRSHIP_PRODUCT, kairshipProduct } from '../access/kairship-product.ts';

export function globalResourceRegistryController({ client }: { readonly client: KubeClient }): Controller {
  return {
    name: 'global-resource-registry',
    watches: [
      { gvr: PRODUCT, wakes: ({ metadata }) => (metadata.name === KAIRSHIP_PRODUCT ? [KAIRSHIP_PRODUCT] : []) },
    ],
    // A registration that is not there wakes nobody.
    source: (wake) => wake(KAIRSHIP_PRODUCT),
    async reconcile() {
      await registerProduct(client, KAIRSHIP_PRODUCT, kairshipProduct);
      return done;
    },
  };
}
