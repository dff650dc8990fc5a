import type { KindCases } from '../kind-cases.ts';
import * as apps from './apps.ts';
import * as autoscaling from './autoscaling.ts';
import * as batch from './batch.ts';
import * as core from './core.ts';
import * as extensions from './extensions.ts';
import * as networking from './networking.ts';
import { pod } from './pod.ts';
import * as rbac from './rbac.ts';
import * as smallGroups from './small-groups.ts';
import * as storage from './storage.ts';

/** Every kind with examples, by name. */
export const allCases: readonly KindCases[] = [
  pod,
  ...[apps, autoscaling, batch, core, extensions, networking, rbac, smallGroups, storage].flatMap((group) =>
    Object.values<KindCases>(group),
  ),
].toSorted((a, b) => (a.kind < b.kind ? -1 : 1));
