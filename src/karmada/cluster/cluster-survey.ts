/** What a healthy member has: its version, its APIs, its nodes and what is taken of them. */
import { type Clock, sleep } from '#base/clock.ts';
import type { Log } from '#base/log.ts';
import { StatusError } from '#base/status-error.ts';
import type { Cluster, ClusterStatus } from '#karmada/apis/index.ts';
import type { NewCondition } from '#kube/meta/condition.ts';
import type { KubeObject } from '#kube/meta/object.ts';
import { informer } from '#kube/runtime/index.ts';
import { apiEnablements, enablementsCondition } from './api-enablements.ts';
import type { Member } from './members.ts';
import { type NodeView, nodeSummary, type PodView, resourceSummary } from './resource-summary.ts';

/** `condition` says whether the list of APIs can be relied on. */
export type Survey = (cluster: Cluster) => Promise<Partial<ClusterStatus> & { readonly condition?: NewCondition }>;

const NODE = { group: '', version: 'v1', resource: 'nodes' };
/** A member with very many pods is reported without its resources until they are known. */
const COPIED_WITHIN_MS = 5_000;
const POD = { group: '', version: 'v1', resource: 'pods' };

export interface SurveyDeps {
  readonly clock: Clock;
  readonly log: Log;
  /** How long a question may stay without an answer: who hangs in the middle is to be found out by the next probe. */
  readonly answerWithinMs: number;
}

/** Follows the member's nodes and pods until the connection ends; starts with the first survey. */
export function clusterSurvey(member: Member, deps: SurveyDeps): Survey {
  const following = { ...deps, signal: member.signal };
  const nodes = informer<KubeObject & NodeView>(member.client, NODE, {}, following);
  const pods = informer<KubeObject & PodView>(member.client, POD, {}, following);

  async function inTime<T>(answer: Promise<T>): Promise<T> {
    const over = new AbortController();
    const late = sleep(deps.clock, deps.answerWithinMs, over.signal).then(() => {
      throw new StatusError('Timeout', `no answer within ${deps.answerWithinMs / 1000} s`);
    });
    return Promise.race([answer, late]).finally(() => over.abort());
  }

  async function apis(): Promise<Partial<ClusterStatus> & { readonly condition?: NewCondition }> {
    try {
      const found = apiEnablements(await inTime(member.client.discover()));
      return { apiEnablements: found, condition: enablementsCondition(found, false) };
    } catch (error) {
      deps.log.warn('the APIs of a member could not be listed', { cluster: member.name, error });
      return {};
    }
  }

  async function version(): Promise<Partial<ClusterStatus>> {
    try {
      const { gitVersion } = JSON.parse(await inTime(member.client.getText('/version'))) as {
        readonly gitVersion?: string;
      };
      return gitVersion ? { kubernetesVersion: gitVersion } : {};
    } catch (error) {
      deps.log.warn('the version of a member could not be read', { cluster: member.name, error });
      return {};
    }
  }

  /** Resolves when the copies are complete, or at the latest when they have been waited for long enough. */
  async function copied(): Promise<void> {
    if (nodes.isSynced() && pods.isSynced()) return;
    const over = new AbortController();
    const patience = sleep(deps.clock, COPIED_WITHIN_MS, AbortSignal.any([over.signal, member.signal]));
    await Promise.race([Promise.all([nodes.synced, pods.synced]), patience.catch(() => undefined)]);
    over.abort();
  }

  return async ({ spec }) => {
    const [found, running] = await Promise.all([apis(), version(), copied()]);
    if (!nodes.isSynced() || !pods.isSynced()) return { ...running, ...found };
    return {
      ...running,
      ...found,
      nodeSummary: nodeSummary(nodes.list()),
      resourceSummary: resourceSummary(nodes.list(), pods.list(), spec.resourceModels),
    };
  };
}
