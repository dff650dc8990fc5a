/** Where a kind keeps the spec of its pods. */
import type { KubeObject } from '#kube/meta/object.ts';
import { type Fields, fieldsAt } from './fields.ts';

/** Undefined for kinds that run no pods. */
export function podSpecOf(object: KubeObject): Fields | undefined {
  switch (object.kind) {
    case 'Pod':
      return fieldsAt(object, 'spec');
    case 'CronJob':
      return fieldsAt(object, 'spec', 'jobTemplate', 'spec', 'template', 'spec');
    default:
      return fieldsAt(object, 'spec', 'template', 'spec');
  }
}
