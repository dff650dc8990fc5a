/** What a Work says of its object in the member: the status worth sending up, and whether it is well. */
import type { ManifestStatus } from '#karmada/apis/index.ts';
import type { ResourceInterpreter } from '#karmada/interpreter/index.ts';
import { parseApiVersion } from '#kube/meta/gvk.ts';
import type { KubeObject } from '#kube/meta/object.ts';

/** `ordinal`: which of the Work's manifests it is. An object whose health cannot be told is of unknown health. */
export async function manifestStatus(
  interpreter: ResourceInterpreter,
  observed: KubeObject,
  ordinal: number,
): Promise<ManifestStatus> {
  const { group, version } = parseApiVersion(observed.apiVersion);
  const { namespace, name } = observed.metadata;
  const [status, health] = await Promise.all([interpreter.reflectStatus(observed), healthOf(interpreter, observed)]);
  return {
    identifier: {
      ordinal,
      ...(group === '' ? {} : { group }),
      version,
      kind: observed.kind,
      // Upstream has the field and never fills it in.
      resource: '',
      ...(namespace === undefined ? {} : { namespace }),
      name,
    },
    ...(status === undefined ? {} : { status }),
    health,
  };
}

async function healthOf(
  interpreter: ResourceInterpreter,
  observed: KubeObject,
): Promise<NonNullable<ManifestStatus['health']>> {
  try {
    return await interpreter.health(observed);
  } catch {
    return 'Unknown';
  }
}
