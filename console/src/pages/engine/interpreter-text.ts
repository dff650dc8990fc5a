/** What the tester begins with, and what each question needs. */
export const OPERATIONS = [
  'InterpretHealth',
  'InterpretReplica',
  'ReviseReplica',
  'InterpretStatus',
  'InterpretDependency',
  'InterpretComponent',
  'Retain',
] as const;
export type Operation = (typeof OPERATIONS)[number];

/** Whether a question is about two objects, and whether it is about a number of replicas. */
export function needs(operation: Operation): { readonly two: boolean; readonly count: boolean } {
  return { two: operation === 'Retain', count: operation === 'ReviseReplica' };
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
