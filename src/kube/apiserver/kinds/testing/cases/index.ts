import type { KindCases } from '../kind-cases.ts';
import * as apps from './apps.ts';
import * as batch from './batch.ts';
import * as cluster from './cluster.ts';
import * as core from './core.ts';
import { pod } from './pod.ts';

/** Every kind with examples, in the order in which the documentation lists them. */
export const allCases: readonly KindCases[] = [
  pod,
  ...Object.values(apps),
  ...Object.values(batch),
  ...Object.values(core),
  ...Object.values(cluster),
].toSorted((a, b) => (a.kind < b.kind ? -1 : 1));
