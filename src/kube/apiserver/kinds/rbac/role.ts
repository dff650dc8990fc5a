import type { ClusterRole, Role } from '#gen/kube/types.ts';
import type { ResourceDefinition } from '#kube/apiserver/resource.ts';
import { pathSegmentProblems } from '#kube/meta/names.ts';
import { plainColumns } from '../columns.ts';
import { kind } from '../kind.ts';

const GROUP = { group: 'rbac.authorization.k8s.io', version: 'v1' } as const;

export const roles: ResourceDefinition = kind<Role>(
  { ...GROUP, kind: 'Role' },
  { name: pathSegmentProblems, createOnUpdate: true, columns: plainColumns },
);

export const clusterRoles: ResourceDefinition = kind<ClusterRole>(
  { ...GROUP, kind: 'ClusterRole' },
  { name: pathSegmentProblems, createOnUpdate: true, columns: plainColumns },
);
