/** What Kubernetes fills into a pod's spec, in a pod and in every template of pods. */
import type { Pod, PodSpec, PodTemplateSpec } from '#gen/kube/types.ts';
import type { Making } from '../kind.ts';
import { defaultContainer, roundResources } from './container-defaults.ts';
import { defaultVolume } from './volume-defaults.ts';

export function defaultPodTemplate(template: Making<PodTemplateSpec> | undefined): void {
  if (template) defaultPodSpec((template.spec ??= {}));
}

export function defaultPodSpec(spec: Making<PodSpec>): void {
  spec.dnsPolicy ||= 'ClusterFirst';
  spec.restartPolicy ||= 'Always';
  spec.securityContext ??= {};
  spec.terminationGracePeriodSeconds ??= 30;
  spec.schedulerName ||= 'default-scheduler';
  defaultServiceAccount(spec);
  spec.volumes?.forEach(defaultVolume);
  for (const container of [...(spec.initContainers ?? []), ...(spec.containers ?? [])]) defaultContainer(container);
  spec.ephemeralContainers?.forEach(defaultContainer);
  roundResources(spec.overhead);
}

/** The account has two names, the old one kept for old clients: whichever is given shows as both. */
function defaultServiceAccount(spec: Making<PodSpec>): void {
  const name = spec.serviceAccountName || spec.serviceAccount;
  if (!name) return;
  spec.serviceAccountName = name;
  spec.serviceAccount = name;
}

/** What only a pod has filled in, never a template. */
export function defaultPod(pod: Making<Pod>): void {
  const spec = (pod.spec ??= {});
  defaultPodSpec(spec);
  for (const { resources } of [...(spec.containers ?? []), ...(spec.initContainers ?? [])]) {
    // What has a limit and no request asks for its limit.
    if (resources?.limits) resources.requests = { ...resources.limits, ...resources.requests };
  }
  spec.enableServiceLinks ??= true;
  if (spec.hostNetwork) defaultHostPorts(spec);
  if (pod.status) agreeOnAddress(pod.status);
}

/** The address stands alone, for old clients, and in a list: where they differ, the one that stands alone counts. */
function agreeOnAddress(status: NonNullable<Making<Pod>['status']>): void {
  const first = status.podIPs?.[0]?.ip;
  if (status.podIP && status.podIP !== first) status.podIPs = [{ ip: status.podIP }];
  else if (first) status.podIP = first;
}

/** On the host's network, a port of a container is a port of the host. */
function defaultHostPorts(spec: Making<PodSpec>): void {
  for (const { ports } of [...(spec.containers ?? []), ...(spec.initContainers ?? [])]) {
    for (const port of ports ?? []) if (!port.hostPort && port.containerPort) port.hostPort = port.containerPort;
  }
}
