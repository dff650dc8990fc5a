/** An instance as the published API tells it, and from it. */
import {
  type Instance as InstanceMessage,
  InstanceSchema,
} from '#gen/proto/kairship/api/instance/v1alpha1/instance_pb.ts';
import { badRequest } from '#base/status-error.ts';
import type { Desired } from '#kube/client/typed-client.ts';
import type { Instance, InstanceMode, InstanceSpec } from '../../instances/index.ts';
import { asMessage } from '../as-message.ts';

/** The published message has no place for these; they are annotations in it, and fields of the resource. */
export const ALIAS = 'kairship.io/alias-name';
export const MODE = 'kairship.io/mode';
export const RELEASE = 'kairship.io/release-on-delete';
const OWN = [ALIAS, MODE, RELEASE] as const;

const LONGEST_ALIAS = 60;
const MODES: readonly string[] = ['embedded', 'operator', 'external'] satisfies readonly InstanceMode[];

export function instanceMessage(instance: Instance): InstanceMessage {
  const { alias, mode, releaseOnDelete } = instance.spec;
  const annotations = {
    ...instance.metadata.annotations,
    ...(alias === undefined ? {} : { [ALIAS]: alias }),
    [MODE]: mode,
    [RELEASE]: String(releaseOnDelete !== false),
  };
  return asMessage(InstanceSchema, {
    ...instance,
    metadata: { ...instance.metadata, annotations },
    status: { ...instance.status, state: instance.status?.state ?? 'INPROCESS' },
  });
}

/** What is to be created; `cluster` names the one the control plane shall run in. */
export function instanceFrom(message: InstanceMessage | undefined, cluster: string): Desired<Instance> {
  const { name = '', labels = {}, annotations = {} } = message?.metadata ?? {};
  if (name === '') throw badRequest('data.metadata.name: an instance needs a name');
  const secretRef = message?.spec?.hostCluster?.secretRef;
  const host = secretRef?.name ? { name: secretRef.name, namespace: secretRef.namespace } : undefined;
  const mode = annotations[MODE] ?? (cluster === '' && !host ? 'embedded' : 'operator');
  if (!isMode(mode)) throw badRequest(`${MODE}: "${mode}" is none of ${MODES.join(', ')}`);
  return {
    metadata: { name, labels: { ...labels }, annotations: withoutOwn(annotations) },
    spec: {
      mode,
      ...described(annotations),
      ...(host && mode === 'external' ? { secretRef: host } : {}),
      ...(host && mode === 'operator' ? { hostCluster: { secretRef: host } } : {}),
    },
  };
}

export function described(
  annotations: Readonly<Record<string, string>>,
): Pick<InstanceSpec, 'alias' | 'releaseOnDelete'> {
  const { [ALIAS]: alias, [RELEASE]: release } = annotations;
  if (alias !== undefined && alias.length > LONGEST_ALIAS)
    throw badRequest(`${ALIAS}: at most ${LONGEST_ALIAS} characters, found ${alias.length}`);
  return {
    ...(alias === undefined ? {} : { alias }),
    ...(release === undefined ? {} : { releaseOnDelete: release !== 'false' }),
  };
}

export function withoutOwn(annotations: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(Object.entries(annotations).filter(([key]) => !(OWN as readonly string[]).includes(key)));
}

function isMode(text: string): text is InstanceMode {
  return MODES.includes(text);
}
