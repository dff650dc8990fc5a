/** Promotion as an operation of the API: named in the request, nothing in the answer. */
import type { KindNames } from '#kube/crds/kind-names.ts';
import type { Context, ServiceDeps } from './deps.ts';
import { promote, type Promotion } from './promotion.ts';

export async function promoteRpc(
  deps: ServiceDeps,
  kind: KindNames,
  request: Omit<Promotion, 'kind'>,
  context: Context,
): Promise<Record<string, never>> {
  await promote(deps, context, { ...request, kind });
  return {};
}
