/**
 * Addresses and node ports of Services.
 *
 * An allocation is a look at the Services there are and a random choice among what they leave free. What was handed
 * out lately counts as taken, so that two creations on their way to the store do not get the same address; nothing
 * has to be given back, and nothing but the Services themselves has to be remembered.
 */
import type { Service } from '#gen/kube/types.ts';
import type { Clock } from '#base/clock.ts';
import { systemClock } from '#base/clock.ts';
import { StatusError } from '#base/status-error.ts';
import type { Given } from '../kind.ts';

export interface ServiceAddresses {
  clusterIp(): string;
  nodePort(): number;
}

export interface AddressSpace {
  /** The Services there are, as the API server's cache has them. */
  readonly services: () => Iterable<unknown>;
  readonly cidr?: string;
  readonly nodePorts?: readonly [first: number, last: number];
  readonly clock?: Clock;
  /** A number in [0, 1). */
  readonly random?: () => number;
}

/** Longer than any write is on its way. */
const HELD_MS = 60_000;
/** The first addresses are left for those chosen by hand: the API server's own, DNS. */
const RESERVED = 256;
const ATTEMPTS = 64;

export function serviceAddresses({
  services,
  cidr = '10.96.0.0/12',
  nodePorts = [30_000, 32_767],
  clock = systemClock,
  random = Math.random,
}: AddressSpace): ServiceAddresses {
  const held = new Map<string, number>();
  const range = rangeOf(cidr);

  function choose(first: number, count: number, write: (value: number) => string, what: string): string {
    const taken = takenBy(services());
    for (const [key, since] of held) if (clock.now() - since > HELD_MS) held.delete(key);
    const start = Math.floor(random() * count);
    for (let step = 0; step < ATTEMPTS + count; step++) {
      // Random places first, so that neighbours do not line up; then every place in turn.
      const offset = step < ATTEMPTS ? Math.floor(random() * count) : (start + step) % count;
      const candidate = write(first + offset);
      if (taken.has(candidate) || held.has(candidate)) continue;
      held.set(candidate, clock.now());
      return candidate;
    }
    throw new StatusError('InternalError', `failed to allocate a ${what}: range is full`);
  }

  return {
    clusterIp() {
      const reserved = Math.min(RESERVED, range.count >> 4);
      // Neither the address of the network nor the broadcast address.
      return choose(range.first + Math.max(1, reserved), range.count - Math.max(1, reserved) - 1, ipText, 'serviceIP');
    },
    nodePort() {
      const [first, last] = nodePorts;
      return Number(choose(first, last - first + 1, String, 'nodePort'));
    },
  };
}

function takenBy(services: Iterable<unknown>): Set<string> {
  const taken = new Set<string>();
  for (const service of services) {
    const { spec } = service as Given<Service>;
    for (const ip of [spec?.clusterIP, ...(spec?.clusterIPs ?? [])]) if (ip) taken.add(ip);
    for (const { nodePort } of spec?.ports ?? []) if (nodePort) taken.add(String(nodePort));
    if (spec?.healthCheckNodePort) taken.add(String(spec.healthCheckNodePort));
  }
  return taken;
}

function rangeOf(cidr: string): { readonly first: number; readonly count: number } {
  const [address = '', bits = '32'] = cidr.split('/');
  const count = 2 ** (32 - Number(bits));
  const value = address.split('.').reduce((sum, part) => sum * 256 + Number(part), 0);
  return { first: value - (value % count), count };
}

function ipText(value: number): string {
  return [24, 16, 8, 0].map((shift) => Math.floor(value / 2 ** shift) % 256).join('.');
}
