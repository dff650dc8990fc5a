/** What the tester begins with, and what each question needs. */
import type { JsonObject } from '@bufbuild/protobuf';
import { parse } from 'yaml';

export const OPERATIONS = [
  'InterpretHealth',
  'InterpretReplica',
  'ReviseReplica',
  'InterpretStatus',
  'AggregateStatus',
  'InterpretDependency',
  'InterpretComponent',
  'Retain',
] as const;
export type Operation = (typeof OPERATIONS)[number];

export interface Needs {
  /** Whether it is about two objects. */
  readonly two: boolean;
  readonly count: boolean;
  /** Whether it is about the status in each cluster. */
  readonly items: boolean;
}

export function needs(operation: Operation): Needs {
  return {
    two: operation === 'Retain',
    count: operation === 'ReviseReplica',
    items: operation === 'AggregateStatus',
  };
}

/** A list of objects; undefined for whatever else was typed. */
export function readList(text: string): readonly JsonObject[] | undefined {
  try {
    const value: unknown = parse(text);
    return Array.isArray(value) && value.every((one) => typeof one === 'object' && one !== null)
      ? (value as readonly JsonObject[])
      : undefined;
  } catch {
    return undefined;
  }
}

export const EXAMPLE_CUSTOMIZATION = `apiVersion: config.karmada.io/v1alpha1
kind: ResourceInterpreterCustomization
metadata:
  name: deployments
spec:
  target:
    apiVersion: apps/v1
    kind: Deployment
  customizations:
    healthInterpretation:
      luaScript: |
        function InterpretHealth(observed)
          return observed.status.readyReplicas == observed.spec.replicas
        end
    replicaResource:
      luaScript: |
        function GetReplicas(desired)
          return desired.spec.replicas, {}
        end
    replicaRevision:
      luaScript: |
        function ReviseReplica(desired, replicas)
          desired.spec.replicas = replicas
          return desired
        end
    statusAggregation:
      luaScript: |
        function AggregateStatus(desired, items)
          local ready = 0
          for i = 1, #items do
            ready = ready + (items[i].status.readyReplicas or 0)
          end
          desired.status = { readyReplicas = ready }
          return desired
        end
`;

export const EXAMPLE_OBJECT = `apiVersion: apps/v1
kind: Deployment
metadata:
  name: web
  namespace: default
spec:
  replicas: 2
status:
  readyReplicas: 2
`;

export const EXAMPLE_ITEMS = `- clusterName: frankfurt
  applied: true
  status:
    readyReplicas: 2
- clusterName: singapore
  applied: true
  status:
    readyReplicas: 1
`;
