/**
 * The operator of embedded instances: every `Karmada` that is ours runs as a process of its own, under supervision.
 *
 * It speaks as the community's operator does: the `Ready` condition with its reasons, `secretRef` of a Secret that holds
 * the administrator's kubeconfig, the same finalizer and the same label to let a control plane outlive its resource.
 * A control plane is started anew when what it is asked to be changes, and not otherwise. Ports, folders and processes
 * are the {@link Runner}'s.
 */
import { type Clock, rfc3339 } from '#base/clock.ts';
import { jsonEqual } from '#base/json.ts';
import type { KubeClient } from '#kube/client/kube-client.ts';
import { type NewCondition, setCondition } from '#kube/meta/condition.ts';
import { keyOf } from '#kube/meta/object.ts';
import { type Controller, done, type Informers, type Outcome, type Reconcile } from '#kube/runtime/index.ts';
import { MODE_LABEL } from './convert-karmada.ts';
import { embeddedFlags } from './embedded-flags.ts';
import {
  DISABLE_CASCADING_DELETION,
  KARMADA_CONFIG_KEY,
  KARMADA_FINALIZER,
  KARMADAS,
  type Karmada,
} from './karmada.ts';
import { karmadas, secrets } from './kinds.ts';

/** Runs control planes on this machine. */
export interface Runner {
  /** Starts a control plane, or leaves it as it runs if it was started with the same flags. */
  run(name: string, flags: readonly string[]): Running;
  /** Ends a control plane; with `purge`, everything it kept goes too. */
  end(name: string, options: { readonly purge: boolean }): Promise<void>;
  /** Writes all that a running control plane holds at one moment into a file. */
  snapshot(name: string, file: string): Promise<void>;
  /** Stops a control plane, does something with the files it keeps, and starts it again. */
  whileStopped(name: string, action: (folder: string) => void): Promise<void>;
}

export interface Running {
  /** What is known of it since it serves; undefined until then. */
  current(): Serving | undefined;
  /** How it ended, while it is being started again. */
  trouble(): string | undefined;
  /** Calls back each time one of these changes. */
  onChange(changed: () => void): void;
}

export interface Serving {
  readonly kubeconfig: string;
  readonly karmadaVersion: string;
  readonly kubernetesVersion: string;
}

export interface EmbeddedOperatorDeps {
  readonly client: KubeClient;
  readonly informers: Informers;
  readonly clock: Clock;
  readonly runner: Runner;
}

export function embeddedOperator({ client, informers, clock, runner }: EmbeddedOperatorDeps): Controller {
  const known = informers<Karmada>(KARMADAS);
  const [own, credentials] = [karmadas(client), secrets(client)];
  const watched = new Set<string>();
  let wake: (key: string) => void = () => undefined;

  async function reconcile({ key }: Reconcile): Promise<Outcome> {
    const karmada = known.get(key);
    if (!karmada || karmada.metadata.labels?.[MODE_LABEL] !== 'embedded') return done;
    if (karmada.metadata.deletionTimestamp !== undefined) return end(karmada);
    const held = await own.addFinalizer(karmada, KARMADA_FINALIZER);
    if (held.spec?.suspend === true) return done;
    const { flags, unmet } = embeddedFlags(held.spec ?? {});
    const running = runner.run(held.metadata.name, flags);
    if (!watched.has(key)) {
      watched.add(key);
      running.onChange(() => wake(key));
    }
    await report(held, running, unmet);
    return done;
  }

  async function report(karmada: Karmada, running: Running, unmet: readonly string[]): Promise<void> {
    const serving = running.current();
    const secretRef = serving ? await publish(karmada, serving.kubeconfig) : karmada.status?.secretRef;
    const { generation } = karmada.metadata;
    const condition = readiness(running, unmet);
    const status: Karmada['status'] = {
      ...karmada.status,
      ...(generation === undefined ? {} : { observedGeneration: generation }),
      ...(secretRef ? { secretRef } : {}),
      ...(serving ? { karmadaVersion: serving.karmadaVersion, kubernetesVersion: serving.kubernetesVersion } : {}),
      conditions: setCondition(karmada.status?.conditions, condition, rfc3339(clock.now())),
    };
    if (!jsonEqual(status, karmada.status)) await own.updateStatus(karmada, status);
  }

  async function publish({ metadata }: Karmada, kubeconfig: string) {
    const secretRef = { namespace: metadata.namespace ?? '', name: `${metadata.name}-admin-config` };
    const data = { [KARMADA_CONFIG_KEY]: Buffer.from(kubeconfig).toString('base64') };
    await credentials.ensure({ metadata: secretRef, type: 'Opaque', data });
    return secretRef;
  }

  async function end(karmada: Karmada): Promise<Outcome> {
    const { name, labels, namespace = '' } = karmada.metadata;
    const purge = labels?.[DISABLE_CASCADING_DELETION] !== 'true';
    await runner.end(name, { purge });
    watched.delete(keyOf(karmada));
    await credentials.remove({ namespace, name: `${name}-admin-config` });
    await own.dropFinalizer(karmada, KARMADA_FINALIZER);
    return done;
  }

  return {
    name: 'embedded-operator',
    watches: [{ gvr: KARMADAS }],
    source: (given) => {
      wake = given;
    },
    concurrency: 8,
    reconcile,
  };
}

function readiness(running: Running, unmet: readonly string[]): NewCondition {
  const lacks = unmet.length === 0 ? '' : ` An embedded instance does not have ${unmet.join(', ')}.`;
  const trouble = running.trouble();
  if (trouble !== undefined)
    return {
      type: 'Ready',
      status: 'False',
      reason: 'Failed',
      message: `The control plane ended (${trouble}) and is started again.${lacks}`,
    };
  if (running.current())
    return { type: 'Ready', status: 'True', reason: 'Completed', message: `The control plane serves.${lacks}` };
  return { type: 'Ready', status: 'False', reason: 'Progressing', message: `The control plane is starting.${lacks}` };
}
