/** Writes claims: marks a template as a policy's, and lets go of it again. Nothing but the marks ever changes. */
import { hasReason } from '#base/status-error.ts';
import { type AnyPropagationPolicy, CLUSTER_RESOURCE_BINDING, RESOURCE_BINDING } from '#karmada/apis/index.ts';
import { bindingName } from '#karmada/names/index.ts';
import type { KubeClient } from '#kube/client/kube-client.ts';
import type { Gvr } from '#kube/meta/gvk.ts';
import type { KubeObject, ObjectKey } from '#kube/meta/object.ts';
import { claimed, idLabel, isClaimedBy, type PolicyKind, unclaimed } from './claim.ts';
import type { Templates } from './templates.ts';

/** Who holds a template. */
export interface Holder {
  readonly kind: PolicyKind;
  readonly id: string;
}

export interface ClaimWriter {
  /** The template as it is after the claim; undefined when it is gone. Throws `Conflict` when it moved meanwhile. */
  readonly claim: (template: KubeObject, policy: AnyPropagationPolicy) => Promise<KubeObject | undefined>;
  /** The binding first: nobody may schedule what nobody claims, and only a marked template is found again. */
  readonly release: (template: KubeObject, holder: Holder) => Promise<void>;
}

export function claimWriter(deps: { readonly client: KubeClient; readonly templates: Templates }): ClaimWriter {
  const { client, templates } = deps;

  /** Read, take the marks off, write; again when somebody was faster. What another policy claimed is left alone. */
  async function unmark(gvr: Gvr, key: ObjectKey, { kind, id }: Holder, known?: KubeObject): Promise<void> {
    let object = known;
    for (let attempt = 1; ; attempt++) {
      try {
        object ??= await client.get(gvr, key);
        if (object.metadata.labels?.[idLabel(kind)] !== id) return;
        await client.update(gvr, unclaimed(object, kind));
        return;
      } catch (error) {
        if (hasReason(error, 'NotFound')) return;
        if (attempt === 5 || !hasReason(error, 'Conflict')) throw error;
        object = undefined;
      }
    }
  }

  return {
    async claim(template, policy) {
      if (isClaimedBy(template, policy)) return template;
      const resource = templates.resource(template);
      if (!resource) return undefined;
      try {
        return await client.update(resource, claimed(template, policy));
      } catch (error) {
        if (hasReason(error, 'NotFound')) return undefined;
        throw error;
      }
    },
    async release(template, holder) {
      const { namespace, name } = template.metadata;
      const scope = namespace === undefined ? {} : { namespace };
      const kind = namespace === undefined ? CLUSTER_RESOURCE_BINDING : RESOURCE_BINDING;
      await unmark(kind, { ...scope, name: bindingName(template.kind, name) }, holder);
      const resource = templates.resource(template);
      if (resource) await unmark(resource, { ...scope, name }, holder, template);
    },
  };
}
