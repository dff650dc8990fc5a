/** Brings the binding of a template up to date with what its policy and the template itself ask for. */
import { jsonEqual } from '#base/json.ts';
import { hasReason, StatusError } from '#base/status-error.ts';
import {
  type AnyBinding,
  type AnyPropagationPolicy,
  CLUSTER_RESOURCE_BINDING,
  EVENT_REASONS,
  RESOURCE_BINDING,
} from '#karmada/apis/index.ts';
import type { EventRecorder } from '#karmada/events/index.ts';
import type { ResourceInterpreter } from '#karmada/interpreter/resource-interpreter.ts';
import type { KubeClient } from '#kube/client/kube-client.ts';
import { keyOf, type KubeObject } from '#kube/meta/object.ts';
import type { Informers } from '#kube/runtime/index.ts';
import { type Demand, desiredBinding, mergedBinding } from './build-binding.ts';
import { demandOf } from './demand.ts';

export interface BindingWriterDeps {
  readonly client: KubeClient;
  readonly informers: Informers;
  readonly interpreter: ResourceInterpreter;
  readonly events: EventRecorder;
  /** Feature gate MultiplePodTemplatesScheduling. */
  readonly components?: boolean;
}

/** What had to be written: nothing, that the template has another revision by now, or what is asked for. */
export type BindingChange = 'none' | 'revision' | 'content';
export type BindingWriter = (template: KubeObject, policy: AnyPropagationPolicy) => Promise<BindingChange>;

const PRIORITY_CLASS = { group: 'scheduling.k8s.io', version: 'v1', resource: 'priorityclasses' };

export function bindingWriter(deps: BindingWriterDeps): BindingWriter {
  const { client, informers, interpreter, events } = deps;
  const bindings = informers<AnyBinding>(RESOURCE_BINDING);
  const clusterBindings = informers<AnyBinding>(CLUSTER_RESOURCE_BINDING);

  async function read(template: KubeObject): Promise<Demand> {
    try {
      const demand = await demandOf(interpreter, template, deps.components);
      if (demand?.replicas !== undefined) {
        events.normal(template, EVENT_REASONS.getReplicasSucceed, 'Get replicas of resource template successfully.');
      }
      return demand ?? {};
    } catch (error) {
      events.warning(template, EVENT_REASONS.getReplicasFailed, error instanceof Error ? error.message : String(error));
      throw error;
    }
  }

  async function priorityOf({ spec }: AnyPropagationPolicy): Promise<number | undefined> {
    const wanted = spec.schedulePriority;
    if (!wanted) return undefined;
    if (wanted.priorityClassSource !== 'KubePriorityClass') {
      throw new StatusError('BadRequest', 'unsupported priority class source');
    }
    const name = wanted.priorityClassName;
    const found = await client.get<KubeObject & { readonly value?: number }>(PRIORITY_CLASS, { name });
    return found.value ?? 0;
  }

  return async (template, policy) => {
    const [demand, priority] = await Promise.all([read(template), priorityOf(policy)]);
    const desired = desiredBinding({ template, policy, demand, ...(priority === undefined ? {} : { priority }) });
    const namespaced = desired.kind === 'ResourceBinding';
    const kind = namespaced ? RESOURCE_BINDING : CLUSTER_RESOURCE_BINDING;
    let existing = (namespaced ? bindings : clusterBindings).get(keyOf(desired));
    if (!existing) {
      try {
        await client.create(kind, desired);
        return 'content';
      } catch (error) {
        // The copy trails the server: it may have been made a moment ago.
        if (!hasReason(error, 'AlreadyExists')) throw error;
        existing = await client.get<AnyBinding>(kind, desired.metadata);
      }
    }
    const merged = mergedBinding(existing, desired);
    if (jsonEqual(existing, merged)) return 'none';
    await client.update(kind, merged);
    return jsonEqual(withoutRevision(existing), withoutRevision(merged)) ? 'revision' : 'content';
  };
}

function withoutRevision({ metadata, spec }: AnyBinding): unknown {
  const { labels, annotations, finalizers, ownerReferences } = metadata;
  const { resourceVersion: _ofTemplate, ...resource } = spec.resource;
  return { labels, annotations, finalizers, ownerReferences, spec: { ...spec, resource } };
}
