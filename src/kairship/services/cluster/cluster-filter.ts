/** Which clusters a list of the published API asks for. Pure. */
import {
  type Cluster as ClusterMessage,
  type ClusterPhase,
  ClusterPhaseSchema,
} from '#gen/proto/kairship/api/cluster/v1alpha1/cluster_pb.ts';
import { badRequest } from '#base/status-error.ts';
import { parseLabelSelector } from '#kube/meta/label-selector.ts';
import { providerOf } from '../distribution.ts';
import type { PageRequest } from '../paging.ts';

export interface ClustersRequest extends PageRequest {
  readonly instance: string;
  readonly name: string;
  readonly kubernetesVersion: string;
  readonly phase: string;
  readonly managedBy: string;
  readonly region: string;
  readonly provider: string;
  readonly zone: string;
  readonly role: readonly string[];
  readonly labelSelector: string;
  readonly clusterSelector: string;
  readonly fieldSelector: string;
  readonly allCluster: boolean;
}

/** Every criterion that is given must hold. */
export function clusterFilter(request: ClustersRequest): (cluster: ClusterMessage) => boolean {
  const selectors = [request.labelSelector, request.clusterSelector].map(parseLabelSelector);
  const phase = phaseIn(request.phase);
  const name = nameIn(request.fieldSelector);
  const same = (wanted: string, found: string | undefined) => wanted === '' || wanted === found;
  return ({ metadata, spec, status }) =>
    [metadata?.name, spec?.aliasName].some((text) => text?.includes(request.name)) &&
    same(name, metadata?.name) &&
    same(request.kubernetesVersion, status?.kubernetesVersion) &&
    same(request.managedBy, spec?.managedBy) &&
    same(request.region, spec?.region) &&
    (request.zone === '' || (spec?.zone ?? '').split(',').includes(request.zone)) &&
    (request.provider === '' || providerOf(request.provider) === spec?.provider) &&
    (phase === undefined || phase === status?.phase) &&
    request.role.every((role) => spec?.roles.includes(role)) &&
    selectors.every((selector) => selector.matches(metadata?.labels));
}

function phaseIn(text: string): ClusterPhase | undefined {
  if (text === '') return undefined;
  const known = ClusterPhaseSchema.values.filter(({ number }) => number > 0);
  const found = known.find(({ name }) => name === text.toUpperCase());
  if (!found) throw badRequest(`phase "${text}" is none of ${known.map(({ name }) => name).join(', ')}`);
  return found.number as ClusterPhase;
}

function nameIn(selector: string): string {
  if (selector === '') return '';
  const [, name] = /^metadata\.name==?([^=,]+)$/.exec(selector) ?? [];
  if (name === undefined) throw badRequest(`fieldSelector "${selector}": clusters are selected by metadata.name only`);
  return name;
}
