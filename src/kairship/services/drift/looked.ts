import type { ResourceInterpreterCustomization } from '#karmada/apis/index.ts';
import type { Gvr } from '#kube/meta/gvk.ts';
import type { KubeObject } from '#kube/meta/object.ts';
import type { FieldDifference } from './field-drift.ts';
import type { Sent } from './sent-objects.ts';

/** One object in one member, in its three versions. */
export interface Looked {
  readonly sent: Sent;
  readonly gvr: Gvr;
  /** Absent where the template was deleted meanwhile, and where nothing lives. */
  readonly template: KubeObject | undefined;
  readonly live: KubeObject | undefined;
  readonly fields: readonly FieldDifference[];
  readonly rules: readonly ResourceInterpreterCustomization[];
}
