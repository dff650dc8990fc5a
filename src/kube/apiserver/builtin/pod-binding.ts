/** `pods/binding` (and the old `bindings`): how a scheduler says on which node a pod runs. */
import { rfc3339 } from '#base/clock.ts';
import { isObject } from '#base/json.ts';
import { badRequest } from '#base/status-error.ts';
import { notSupported, required } from '#kube/meta/field-error.ts';
import { setCondition } from '#kube/meta/condition.ts';
import type { Condition } from '#kube/meta/object.ts';
import type { Core } from '../core.ts';
import type { ApiExtension, ExtensionRequest } from '../extension.ts';
import { conflict, resourceNotServed, unexplained } from '../failures.ts';
import type { FieldError } from '../resource.ts';
import { editable } from '../write/editable.ts';
import { modifyObject } from '../write/modify.ts';
import { checkNamespace } from '../write/namespace-open.ts';
import { virtualKind } from './virtual-object.ts';

const PODS = { group: '', version: 'v1', resource: 'pods' } as const;
const BINDING = { ...PODS, resource: 'pods/binding' } as const;
const SUCCESS = { kind: 'Status', apiVersion: 'v1', metadata: {}, status: 'Success', code: 201 } as const;

export function podBinding(core: Core): readonly ApiExtension[] {
  const { read } = virtualKind({ group: '', version: 'v1', kind: 'Binding' });
  async function serve(request: ExtensionRequest) {
    const binding = await read(request);
    const target = isObject(binding['target']) ? binding['target'] : {};
    const sent = binding.metadata;
    const node = target['name'];
    const name = request.name ?? sent.name ?? '';
    const pods = core.registry.find(PODS);
    if (pods && request.namespace !== undefined) checkNamespace(core, pods, request.namespace, name);
    if (name !== (sent.name ?? '')) throw badRequest('name in URL does not match name in Binding object');
    const problems = [...targetProblems(target)].map(({ field, message }) => `${field}: ${message}`);
    // Kubernetes answers these with a failure of its own.
    if (problems.length > 0)
      throw unexplained(problems.length === 1 ? (problems[0] ?? '') : `[${problems.join(', ')}]`);
    if (typeof node !== 'string') throw badRequest('a binding names a pod and its node');
    await bind(core, request, name, node, sent.annotations ?? {});
    return { code: 201, object: SUCCESS };
  }
  const answers = 'object' as const;
  const common = {
    group: '',
    version: 'v1',
    kind: { kind: 'Binding' },
    namespaced: true,
    verbs: ['create'],
    answers,
    serve,
  } as const;
  return [
    { ...common, resource: 'pods', subresource: 'binding' },
    { ...common, resource: 'bindings', singular: 'binding' },
  ];
}

function* targetProblems({ kind, name }: Readonly<Record<string, unknown>>): Iterable<FieldError> {
  if (kind && kind !== 'Node') yield notSupported('target.kind', kind, ['Node', '<empty>']);
  if (!name) yield required('target.name');
}

async function bind(
  core: Core,
  { user, namespace }: ExtensionRequest,
  name: string,
  node: string,
  annotations: Record<string, unknown>,
): Promise<void> {
  const pods = core.registry.find(PODS);
  if (!pods) throw resourceNotServed();
  const caller = { user, agent: '', warn: () => undefined };
  await modifyObject(
    core,
    pods,
    caller,
    { namespace, name },
    {
      subresource: 'binding',
      dryRun: false,
      transform(pod) {
        const draft = editable(pod);
        const spec = (draft['spec'] ??= {}) as { nodeName?: string };
        const status = (draft['status'] ??= {}) as { conditions?: readonly Condition[] };
        if (pod.metadata.deletionTimestamp)
          throw conflict(BINDING, name, `pod ${name} is being deleted, cannot be assigned to a host`);
        if (spec.nodeName)
          throw conflict(BINDING, name, `pod ${name} is already assigned to node ${JSON.stringify(spec.nodeName)}`);
        spec.nodeName = node;
        const scheduled = { type: 'PodScheduled', status: 'True', lastProbeTime: null } as const;
        status.conditions = setCondition(status.conditions, scheduled, rfc3339(core.clock.now()));
        for (const [key, value] of Object.entries(annotations)) {
          if (typeof value === 'string') draft.metadata.annotations = { ...draft.metadata.annotations, [key]: value };
        }
        return draft;
      },
    },
  );
}
