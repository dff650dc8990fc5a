/** What real Karmada made of one Deployment, and objects for tests of this room. */
import { readFileSync } from 'node:fs';
import type { AggregatedStatusItem } from '#karmada/apis/index.ts';
import type { KubeObject, ObjectMeta } from '#kube/meta/object.ts';
import { parseAllDocuments } from 'yaml';

export function object(
  apiVersion: string,
  kind: string,
  fields: Record<string, unknown>,
  meta: Partial<ObjectMeta> = {},
): KubeObject {
  return { apiVersion, kind, metadata: { name: 'x', namespace: 'default', ...meta }, ...fields };
}

/** The members' statuses: of m1, m2, … in order; undefined for one that has said nothing. */
export function statuses(...each: readonly (Record<string, unknown> | undefined)[]): readonly AggregatedStatusItem[] {
  return each.map((status, index) => ({
    clusterName: `m${index + 1}`,
    ...(status ? { status: status as NonNullable<AggregatedStatusItem['status']> } : {}),
  }));
}

export function recordedObjects(): readonly KubeObject[] {
  const text = readFileSync(`${import.meta.dirname}/../../../e2e/fixtures/karmada-objects.yaml`, 'utf8');
  return parseAllDocuments(text).flatMap((document) => (document.toJS() as KubeObject | null) ?? []);
}
