/** One object. Without a cluster it must be in one only: which of several is meant is for the caller to say. */
import { badRequest, notFound } from '#base/status-error.ts';
import { negotiate } from '#kube/apiserver/http/negotiate.ts';
import { sendJson } from '#kube/apiserver/http/respond.ts';
import { includeObject } from '#kube/apiserver/representations/table.ts';
import type { KubeObject } from '#kube/meta/object.ts';
import type { IndexedKind } from '../store/index-store.ts';
import type { Asking } from './asking.ts';
import { definitionOf, tableRow, withCluster } from './index-table.ts';
import { told } from './told.ts';

const SHOWN_CLUSTERS = 10;

export async function serveObject(asking: Asking, kind: IndexedKind, name: string): Promise<void> {
  const { exchange, reader, access, query, clock, cluster } = asking;
  const answer = negotiate(exchange.request.headers.accept);
  await told(asking);
  const { objects } = await reader.page({ ...query, limit: SHOWN_CLUSTERS + 1 }, access);
  const [found, ...others] = objects;
  if (!found) throw notFound(kind.resource, name, kind.group);
  if (others.length > 0) {
    const clusters = objects.slice(0, SHOWN_CLUSTERS).map((each) => each.cluster);
    throw badRequest(
      `${kind.resource} "${name}" is in several clusters (${clusters.join(', ')}${others.length >= SHOWN_CLUSTERS ? ', …' : ''}): ask for it under …/resources/clusters/${found.cluster}, or add clusters=${found.cluster}`,
    );
  }
  if (answer.as === undefined) return sendJson(exchange, 200, `${found.body}\n`, answer.media);
  const object = JSON.parse(found.body) as KubeObject;
  const version = answer.version ?? 'v1';
  if (answer.as !== 'Table') {
    const partial = { kind: 'PartialObjectMetadata', apiVersion: `meta.k8s.io/${version}`, metadata: object.metadata };
    return sendJson(exchange, 200, JSON.stringify(partial), answer.media);
  }
  const own = await asking.columns(kind, found.cluster);
  const columns = cluster === undefined ? withCluster(own) : own;
  const include = includeObject(exchange.query.get('includeObject'));
  const table = {
    kind: 'Table',
    apiVersion: `meta.k8s.io/${version}`,
    metadata: { resourceVersion: object.metadata.resourceVersion },
    columnDefinitions: columns.map(definitionOf),
    rows: [tableRow(columns, object, { include, version, now: clock.now() })],
  };
  sendJson(exchange, 200, JSON.stringify(table), answer.media);
}
