import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { fakeClock } from '#base/clock.ts';
import { changed, created, definitionOf, updated } from '../testing/lifecycle.ts';
import { serviceAddresses } from './service-addresses.ts';

interface Spec {
  readonly clusterIP?: string;
  readonly clusterIPs?: readonly string[];
  readonly ipFamilies?: readonly string[];
  readonly ipFamilyPolicy?: string;
  readonly ports?: readonly { readonly nodePort?: number; readonly targetPort?: unknown }[];
  readonly healthCheckNodePort?: number;
  readonly sessionAffinityConfig?: unknown;
}

const least = { spec: { ports: [{ port: 80 }] } };

function spec(change: Record<string, unknown> = {}): Spec {
  return created(definitionOf('Service'), changed(least, change))['spec'] as Spec;
}

describe('a new Service', () => {
  it('gets an address and targets its own port', () => {
    assert.deepEqual(spec().clusterIPs, ['10.96.1.1']);
    assert.equal(spec().ports?.[0]?.targetPort, 80);
  });

  it('keeps the address it asks for', () =>
    assert.deepEqual(spec({ 'spec/clusterIP': '10.96.0.10' }).clusterIPs, ['10.96.0.10']));

  it('has none when headless', () => {
    const { clusterIP, clusterIPs, ipFamilyPolicy } = spec({ 'spec/clusterIP': 'None', 'spec/selector': { a: 'b' } });
    assert.deepEqual([clusterIP, clusterIPs, ipFamilyPolicy], ['None', ['None'], 'SingleStack']);
  });

  it('leaves the families of addresses open when headless without a selector', () => {
    const { ipFamilies, ipFamilyPolicy } = spec({ 'spec/clusterIP': 'None' });
    assert.deepEqual([ipFamilies, ipFamilyPolicy], [['IPv4', 'IPv6'], 'RequireDualStack']);
  });

  it('has none when it is a name for something outside', () => {
    const { clusterIP, clusterIPs, ipFamilies } = spec({ 'spec/type': 'ExternalName', 'spec/externalName': 'a.b' });
    assert.deepEqual([clusterIP, clusterIPs, ipFamilies], [undefined, undefined, undefined]);
  });

  it('gets node ports when nodes listen for it', () => {
    assert.equal(spec({ 'spec/type': 'NodePort' }).ports?.[0]?.nodePort, 30_001);
    assert.equal(
      spec({ 'spec/type': 'LoadBalancer', 'spec/allocateLoadBalancerNodePorts': false }).ports?.[0]?.nodePort,
      undefined,
    );
  });

  it('gets a port for health checks when only local pods answer', () => {
    const balanced = spec({ 'spec/type': 'LoadBalancer', 'spec/externalTrafficPolicy': 'Local' });
    assert.equal(balanced.healthCheckNodePort, 30_002);
  });

  it('remembers clients for three hours unless told otherwise', () => {
    assert.deepEqual(spec({ 'spec/sessionAffinity': 'ClientIP' }).sessionAffinityConfig, {
      clientIP: { timeoutSeconds: 10_800 },
    });
  });
});

describe('a changed Service', () => {
  const definition = definitionOf('Service');

  it('keeps what its writer left out', () => {
    const old = created(definition, changed(least, { 'spec/type': 'NodePort' }));
    const now = updated(definition, old, changed(least, { 'spec/type': 'NodePort' }))['spec'] as Spec;
    assert.deepEqual(now, old['spec']);
  });

  it('gives node ports back with its type', () => {
    const old = created(definition, changed(least, { 'spec/type': 'NodePort' }));
    const now = updated(
      definition,
      old,
      changed(old, { 'spec/type': 'ClusterIP', 'spec/externalTrafficPolicy': undefined }),
    )['spec'] as Spec;
    assert.equal(now.ports?.[0]?.nodePort, undefined);
    assert.equal(now.clusterIP, (old['spec'] as Spec).clusterIP);
  });

  it('gives its address back when it becomes a name', () => {
    const old = created(definition, least);
    const now = updated(definition, old, changed(old, { 'spec/type': 'ExternalName', 'spec/externalName': 'a.b' }))[
      'spec'
    ] as Spec;
    assert.deepEqual([now.clusterIP, now.clusterIPs], [undefined, undefined]);
  });
});

describe('serviceAddresses', () => {
  it('hands out what no Service has, and nothing twice in a row', () => {
    const taken = [{ spec: { clusterIPs: ['10.0.0.2'], ports: [{ nodePort: 30_000 }] } }];
    const space = { services: () => taken, cidr: '10.0.0.0/29', nodePorts: [30_000, 30_002], random: () => 0 } as const;
    const addresses = serviceAddresses({ ...space, clock: fakeClock() });
    const ips = Array.from({ length: 5 }, () => addresses.clusterIp());
    assert.deepEqual(ips.toSorted(), ['10.0.0.1', '10.0.0.3', '10.0.0.4', '10.0.0.5', '10.0.0.6']);
    assert.throws(() => addresses.clusterIp(), { message: 'failed to allocate a serviceIP: range is full' });
    assert.deepEqual([addresses.nodePort(), addresses.nodePort()], [30_001, 30_002]);
  });

  it('may hand out again what was never used', async () => {
    const clock = fakeClock();
    const addresses = serviceAddresses({ services: () => [], cidr: '10.0.0.0/30', clock });
    const first = [addresses.clusterIp(), addresses.clusterIp()];
    await clock.advance(61_000);
    assert.deepEqual([addresses.clusterIp(), addresses.clusterIp()].toSorted(), first.toSorted());
  });
});
