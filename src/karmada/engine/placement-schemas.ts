/** What `kubectl explain` tells of the placement group, whose kinds are answers and have no CRD. */
import { anyObject, boolean, type CrdSchema, int32, list, map, object, string, time } from '#kube/crds/schema.ts';
import { names, taint } from '#karmada/apis/crds/shared.ts';

const reference = (description: string, more: Readonly<Record<string, CrdSchema>> = {}) =>
  object({ apiVersion: string(), kind: string(), namespace: string(), name: string(), ...more }, [], description);

const spec = object(
  {
    apply: list(
      anyObject(),
      'Policies, override policies and templates as they would be: new ones, or in place of others.',
    ),
    remove: list(reference('What would be deleted.'), 'Policies and templates that would be deleted.'),
    replicas: list(
      reference('A template and its number of replicas.', { replicas: int32() }),
      'Templates that would be scaled.',
    ),
    taints: list(
      object(
        {
          cluster: string(),
          add: list(taint),
          remove: list(object({ key: string(), effect: string() }, ['key'])),
        },
        ['cluster'],
      ),
      'Taints that clusters would get or lose.',
    ),
    cordon: names('Clusters that would take nothing new.'),
    uncordon: names('Clusters that would take new workloads again.'),
    lose: names('Clusters lost at once with all that runs there.'),
    unjoin: names('Clusters that would leave the instance in good order.'),
    join: list(
      object(
        {
          name: string(),
          labels: map(string()),
          provider: string(),
          region: string(),
          zones: names(),
          taints: list(taint),
          capacity: map(string(), 'What its nodes have in all: cpu, memory, pods.'),
        },
        ['name'],
      ),
      'Clusters that would be there besides.',
    ),
    includeUnchanged: boolean('Answer with bindings that stay as they are, too.'),
  },
  [],
  'What would be changed; all of it at once. An empty one asks for nothing.',
);

const status = object(
  {
    simulatedAt: time(),
    summary: object(
      {
        bindings: int32('How many were looked at.'),
        changed: int32(),
        moved: int32('Replicas that go from one cluster to another.'),
        started: int32('Replicas that are new.'),
        stopped: int32('Replicas that end.'),
        restarted: int32('Replicas that stay where they are and are made anew.'),
        unschedulable: int32(),
        conflicts: int32(),
      },
      [],
      'The whole in numbers.',
    ),
    bindings: list(anyObject(), 'Each binding of which something would change: where it is and would be, and why.'),
    conflicts: list(anyObject(), 'Objects of others, claims of other policies and overrides that fail.'),
    unschedulable: list(object({ binding: string(), message: string() }), 'What would find no place.'),
    abridged: int32('So many bindings are told without their explanation.'),
  },
  [],
  'What would happen.',
);

const kind = (description: string, properties: Readonly<Record<string, CrdSchema>>, required: readonly string[] = []) =>
  object({ apiVersion: string(), kind: string(), metadata: { type: 'object' }, ...properties }, required, description);

export const SIMULATION_SCHEMA = kind('What would happen if. It is answered, never stored.', { spec, status }, [
  'spec',
]);

export const INTERPRETATION_SCHEMA = kind(
  'Customisations of the interpreter, asked one question. It is answered, never stored.',
  {
    spec: object({
      customizations: list(anyObject(), 'ResourceInterpreterCustomizations.'),
      operation: string('What is asked, such as InterpretHealth; empty only checks that the scripts can be read.'),
      desired: anyObject(),
      observed: anyObject(),
      replicas: int32('For ReviseReplica.'),
      items: list(anyObject(), 'For AggregateStatus: what a binding has for each cluster.'),
    }),
    status: object({
      results: list(anyObject(), 'What was answered, by name.'),
      printed: list(string(), 'What the scripts printed.'),
      problem: { ...anyObject(), description: 'What is wrong with a script, and where.' },
    }),
  },
  ['spec'],
);

export const EXPLANATION_SCHEMA = kind('Why a binding runs where it runs; named as the binding.', {
  explanation: { ...anyObject(), description: 'The newest decision: every cluster with filters, scores and capacity.' },
  history: list(anyObject(), 'The decisions before it.'),
});

export const TRACE_SCHEMA = kind('How far a change of a template has come, step by step; named as its uid.', {
  template: reference('The template.'),
  generation: int32('Which change of it.'),
  because: string('What set it off.'),
  state: string(),
  startedAt: time(),
  durationMs: int32(),
  slowest: string('The step that took longest.'),
  steps: list(anyObject(), 'What happened to the template itself, with times, attempts and errors.'),
  clusters: list(anyObject(), 'The same for each cluster.'),
});
