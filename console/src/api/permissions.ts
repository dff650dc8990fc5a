/** Whether the signed-in user may do something, and the sentence that says why not. */
import { create } from '@bufbuild/protobuf';
import { useQuery } from '@connectrpc/connect-query';
import { AccessService } from '#gen/proto/ghippo/api/access/v1alpha1/access_service_pb.ts';
import { Scope_Type, ScopeSchema } from '#gen/proto/ghippo/api/types/v1alpha1/types_pb.ts';

export interface May {
  readonly allowed: boolean;
  /** The right that is missing; empty while it is not known, or when it is there. */
  readonly missing: string;
}

export interface Where {
  readonly instance?: string | undefined;
  readonly namespace?: string | undefined;
}

/** `product/resourceType/action`. Buttons stay disabled until the answer is there. */
export function useMay(permission: string, { instance, namespace }: Where = {}): May {
  const scope = create(
    ScopeSchema,
    instance
      ? namespace
        ? { type: Scope_Type.Namespace, instance, namespace }
        : { type: Scope_Type.Instance, instance }
      : { type: Scope_Type.Platform },
  );
  const { data } = useQuery(AccessService.method.decide, { permission, scope }, { meta: { still: true } });
  if (!data) return { allowed: false, missing: '' };
  return { allowed: data.allowed, missing: data.allowed ? '' : permission };
}
