/** Where the control plane of an instance runs, for those who read. */
import type { TFunction } from 'i18next';
import type { Instance } from '#gen/proto/kairship/api/instance/v1alpha1/instance_pb.ts';
import { hostOf, modeOf } from './wanted.ts';

export function hostWord(t: TFunction, { metadata, spec }: Instance): string {
  if (modeOf(metadata?.annotations) === 'external') return t('instance.hostTheirs');
  return hostOf(spec?.hostCluster?.secretRef?.name) || t('instance.hostHere');
}
