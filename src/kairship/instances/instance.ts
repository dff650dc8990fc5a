/**
 * The `Instance` custom resource of the global cluster: one multi-cloud control plane and how to reach it.
 *
 * Whoever runs the instance writes its status; the proxy reads nothing else to find it.
 */
import type { Condition, KubeObject, ObjectMeta } from '#kube/meta/object.ts';
import type { Gvr } from '#kube/meta/gvk.ts';

export const INSTANCES: Gvr = { group: 'kairship.io', version: 'v1alpha1', resource: 'instances' };

/** Credentials of instances live in Secrets of this namespace, under this key. */
export const INSTANCE_NAMESPACE = 'kairship-system';
export const KUBECONFIG_KEY = 'kubeconfig';

export interface Instance extends KubeObject {
  readonly apiVersion: 'kairship.io/v1alpha1';
  readonly kind: 'Instance';
  readonly metadata: ObjectMeta;
  readonly spec: {
    readonly alias?: string;
    /** Who runs it: our own engine as a process, or somebody else. */
    readonly mode: 'embedded' | 'external';
  };
  readonly status?: {
    readonly state?: InstanceState;
    readonly endpoint?: string;
    readonly secretRef?: { readonly namespace: string; readonly name: string };
    readonly conditions?: readonly Condition[];
  };
}

export type InstanceState = 'INPROCESS' | 'RUNNING' | 'UNAVAILABLE' | 'UNKNOWN' | 'TERMINAL';

const text = (description: string) => ({ type: 'string', description });

export const instanceCrd: KubeObject = {
  apiVersion: 'apiextensions.k8s.io/v1',
  kind: 'CustomResourceDefinition',
  metadata: { name: 'instances.kairship.io' },
  spec: {
    group: 'kairship.io',
    scope: 'Cluster',
    names: {
      kind: 'Instance',
      listKind: 'InstanceList',
      plural: 'instances',
      singular: 'instance',
      categories: ['kairship'],
    },
    versions: [
      {
        name: 'v1alpha1',
        served: true,
        storage: true,
        subresources: { status: {} },
        additionalPrinterColumns: [
          { name: 'Mode', type: 'string', jsonPath: '.spec.mode' },
          { name: 'State', type: 'string', jsonPath: '.status.state' },
          { name: 'Endpoint', type: 'string', jsonPath: '.status.endpoint', priority: 1 },
          { name: 'Age', type: 'date', jsonPath: '.metadata.creationTimestamp' },
        ],
        schema: {
          openAPIV3Schema: {
            type: 'object',
            description: 'A multi-cloud control plane.',
            required: ['spec'],
            properties: {
              spec: {
                type: 'object',
                required: ['mode'],
                properties: {
                  alias: text('The name people see.'),
                  mode: { ...text('Who runs the control plane.'), enum: ['embedded', 'external'] },
                },
              },
              status: {
                type: 'object',
                properties: {
                  state: text('What the control plane is doing.'),
                  endpoint: text('The address of its API server.'),
                  secretRef: {
                    type: 'object',
                    description: 'The Secret that holds its kubeconfig.',
                    properties: { namespace: { type: 'string' }, name: { type: 'string' } },
                  },
                  conditions: {
                    type: 'array',
                    items: {
                      type: 'object',
                      properties: {
                        type: { type: 'string' },
                        status: { type: 'string' },
                        reason: { type: 'string' },
                        message: { type: 'string' },
                        lastTransitionTime: { type: 'string', format: 'date-time' },
                      },
                    },
                  },
                },
              },
            },
          },
        },
      },
    ],
  },
};
