/** Keeps the status of every instance in step with reality: asks each one how it is, every few seconds. */
import { type Clock, rfc3339 } from '#base/clock.ts';
import { jsonEqual } from '#base/json.ts';
import type { KubeClient } from '#kube/client/kube-client.ts';
import { findCondition, setCondition } from '#kube/meta/condition.ts';
import { type Controller, done, type Informers, type Outcome, type Reconcile, retryIn } from '#kube/runtime/index.ts';
import { INSTANCE_LABEL } from './convert-karmada.ts';
import { INSTANCE_NAMESPACE, INSTANCES, type Instance, type InstanceStatus } from './instance.ts';
import { type Answer, stateOf, WAITING_FOR_OPERATOR } from './instance-state.ts';
import { KARMADAS, type Karmada } from './karmada.ts';
import { instances } from './kinds.ts';

export interface StatusSyncDeps {
  readonly client: KubeClient;
  readonly informers: Informers;
  readonly clock: Clock;
  /** Asks an instance how it is; undefined when nobody knows how to reach it. */
  readonly ask: (name: string, signal: AbortSignal) => Promise<Answer | undefined>;
  readonly everyMs?: number;
}

const EVERY_MS = 5_000;
const SOON_MS = 100;

export function statusSyncController({
  client,
  informers,
  clock,
  ask,
  everyMs = EVERY_MS,
}: StatusSyncDeps): Controller {
  const known = informers<Instance>(INSTANCES);
  const planes = informers<Karmada>(KARMADAS);
  const own = instances(client);

  async function reconcile({ key, signal }: Reconcile): Promise<Outcome> {
    const instance = known.get(key);
    if (!instance) return done;
    const karmada = planes.get(`${INSTANCE_NAMESPACE}/${key}`);
    const answer = await ask(key, signal);
    const status = { ...instance.status, ...facts(instance, karmada, answer) };
    const isNews = !jsonEqual(status, instance.status);
    if (isNews) await own.updateStatus(instance, status);
    // One that is being made, or has just become something else, is watched closely: people are waiting for it.
    const isStuck = findCondition(status.conditions, 'Ready')?.reason === WAITING_FOR_OPERATOR;
    const soon = isNews || (status.state === 'INPROCESS' && !isStuck);
    return retryIn(soon ? SOON_MS : everyMs, 'instances are asked again and again');
  }

  function facts(instance: Instance, karmada: Karmada | undefined, answer: Answer | undefined): InstanceStatus {
    const { state, condition } = stateOf(instance, karmada, answer);
    const { secretRef = instance.spec.secretRef, karmadaVersion } = karmada?.status ?? {};
    const { generation } = instance.metadata;
    return {
      state,
      conditions: setCondition(instance.status?.conditions, condition, rfc3339(clock.now())),
      ...(generation === undefined ? {} : { observedGeneration: generation }),
      ...(secretRef ? { secretRef } : {}),
      ...(karmadaVersion === undefined ? {} : { karmadaVersion }),
      ...(answer?.reached ? { kubernetesVersion: answer.kubernetesVersion } : {}),
    };
  }

  return {
    name: 'status-sync',
    watches: [
      {
        gvr: INSTANCES,
        wakes: (object, old) =>
          object.metadata.generation === old?.metadata.generation &&
          object.metadata.deletionTimestamp === old?.metadata.deletionTimestamp
            ? []
            : [object.metadata.name],
      },
      {
        gvr: KARMADAS,
        wakes: ({ metadata }) => [metadata.labels?.[INSTANCE_LABEL]].filter((name) => name !== undefined),
      },
    ],
    concurrency: 20,
    reconcile,
  };
}
