/** How the detector's queue names a template: kind and name in one string. */
import type { ObjectReference } from '#karmada/apis/index.ts';
import type { KubeObject } from '#kube/meta/object.ts';

export function templateKey(template: KubeObject): string {
  const { namespace = '', name } = template.metadata;
  return [template.apiVersion, template.kind, namespace, name].join('|');
}

export function parseTemplateKey(key: string): ObjectReference {
  const [apiVersion = '', kind = '', namespace = '', name = ''] = key.split('|');
  return { apiVersion, kind, name, ...(namespace === '' ? {} : { namespace }) };
}
