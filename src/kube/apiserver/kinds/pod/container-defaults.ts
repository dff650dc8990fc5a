/** What Kubernetes fills into containers, wherever they appear: pods, templates of workloads, templates of templates. */
import type { Container, HTTPGetAction, Probe } from '#gen/kube/types.ts';
import { formatQuantity, tryParseQuantity } from '#kube/meta/quantity.ts';
import type { Making } from '../kind.ts';

export function defaultContainer(container: Making<Container>): void {
  container.imagePullPolicy ||= pullPolicyOf(container.image ?? '');
  container.terminationMessagePath ||= '/dev/termination-log';
  container.terminationMessagePolicy ||= 'File';
  for (const port of container.ports ?? []) port.protocol ||= 'TCP';
  for (const { valueFrom } of container.env ?? []) {
    if (valueFrom?.fieldRef) valueFrom.fieldRef.apiVersion ||= 'v1';
    if (valueFrom?.fileKeyRef) valueFrom.fileKeyRef.optional ??= false;
  }
  roundResources(container.resources?.limits);
  roundResources(container.resources?.requests);
  for (const probe of [container.livenessProbe, container.readinessProbe, container.startupProbe]) defaultProbe(probe);
  for (const handler of [container.lifecycle?.postStart, container.lifecycle?.preStop])
    defaultHttpGet(handler?.httpGet);
}

/** A moving tag has to be pulled each time; a fixed one need not be. */
export function pullPolicyOf(image: string): 'Always' | 'IfNotPresent' {
  const [name = '', digest] = image.split('@');
  if (!/^[\w./:-]+$/.test(name)) return 'IfNotPresent';
  // What is no name of an image has no tag either; without a dot or a port its first part is no host.
  if (/[A-Z]/.test(name.replace(/^[^/]*[.:][^/]*\//, '').replace(/:[^/:]*$/, ''))) return 'IfNotPresent';
  const tag = /:([^/:]*)$/.exec(name)?.[1] ?? (digest === undefined ? 'latest' : '');
  return tag === 'latest' ? 'Always' : 'IfNotPresent';
}

const MILLI = 1_000_000n;

/** Resources finer than a thousandth are rounded up, as no component counts finer. */
export function roundResources(resources: Record<string, string | undefined> | undefined): void {
  for (const [name, value] of Object.entries(resources ?? {})) {
    const quantity = value === undefined ? undefined : tryParseQuantity(value);
    if (!resources || !quantity || quantity.nanos % MILLI === 0n) continue;
    const up = quantity.nanos > 0n ? MILLI : 0n;
    resources[name] = formatQuantity({ ...quantity, nanos: (quantity.nanos / MILLI) * MILLI + up });
  }
}

function defaultProbe(probe: Making<Probe> | undefined): void {
  if (!probe) return;
  probe.timeoutSeconds ||= 1;
  probe.periodSeconds ||= 10;
  probe.successThreshold ||= 1;
  probe.failureThreshold ||= 3;
  defaultHttpGet(probe.httpGet);
  if (probe.grpc) probe.grpc.service ??= '';
}

function defaultHttpGet(action: Making<HTTPGetAction> | undefined): void {
  if (!action) return;
  action.path ||= '/';
  action.scheme ||= 'HTTP';
}
