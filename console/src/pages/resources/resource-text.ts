/** What a new resource begins with: the least that makes sense of its kind. */
import { stringify } from 'yaml';
import type { Kind } from '../../api/kinds.ts';

/** The label that keeps an object from being deleted while it is `Always`. */
export const PROTECTED = 'resourcetemplate.karmada.io/deletion-protected';

const BEGINNINGS: Readonly<Record<string, object>> = {
  Namespace: {},
  Service: { spec: { selector: { app: 'web' }, ports: [{ name: 'http', port: 80, targetPort: 8080 }] } },
  Ingress: {
    spec: {
      rules: [
        {
          host: 'web.example.com',
          http: {
            paths: [{ path: '/', pathType: 'Prefix', backend: { service: { name: 'web', port: { number: 80 } } } }],
          },
        },
      ],
    },
  },
  ConfigMap: { data: { 'settings.yaml': 'level: info\n' } },
  Secret: { type: 'Opaque', stringData: { password: '' } },
  PersistentVolumeClaim: {
    spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '10Gi' } } },
  },
  StorageClass: { provisioner: 'example.com/disk' },
};

/** A definition is named after what it defines, so that its name and its names begin together. */
const DEFINITION = {
  metadata: { name: 'widgets.example.com' },
  spec: {
    group: 'example.com',
    names: { plural: 'widgets', singular: 'widget', kind: 'Widget' },
    scope: 'Namespaced',
    versions: [
      {
        name: 'v1',
        served: true,
        storage: true,
        schema: {
          openAPIV3Schema: {
            type: 'object',
            properties: { spec: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true } },
          },
        },
      },
    ],
  },
};

export function newResourceText({ apiVersion, kind, namespaced }: Kind, namespace: string): string {
  const metadata = { name: `new-${kind.toLowerCase()}`, ...(namespaced ? { namespace } : {}) };
  const more = kind === 'CustomResourceDefinition' ? DEFINITION : (BEGINNINGS[kind] ?? { spec: {} });
  return stringify({ apiVersion, kind, metadata, ...more }, { lineWidth: 0 });
}

/** Base64 as text, as far as it is text. */
export function decoded(value: string): string {
  try {
    const bytes = Uint8Array.from(atob(value), (letter) => letter.codePointAt(0) ?? 0);
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return value;
  }
}
