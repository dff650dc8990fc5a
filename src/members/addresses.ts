/**
 * Addresses in a simulated cluster: nothing answers there, but they are distinct, stable and look as expected. Pure.
 *
 * Every cluster has ranges of its own, chosen by its name: pods in one of 10.16/16 to 10.239/16, nodes in one of
 * 172.16/16 to 172.31/16, load balancers somewhere in the three networks that are reserved for documentation.
 */
import { createHash } from 'node:crypto';

const DOCUMENTATION = ['192.0.2', '198.51.100', '203.0.113'];
const HOSTS = 254;

export interface Addresses {
  /** Of the n-th node, counted from 1. */
  readonly nodeAddress: (n: number) => string;
  /** The pods' network on the n-th node. */
  readonly podNetwork: (n: number) => string;
  /** An address in a node's pod network (`10.20.3.0/24`) that is not taken, the same for the same uid if it can be. */
  readonly podAddress: (network: string, uid: string, taken: ReadonlySet<string>) => string;
  /** An address for a load balancer that is not taken, the same for the same name if it can be. */
  readonly balancerAddress: (name: string, taken: ReadonlySet<string>) => string;
}

export function addressesOf(cluster: string): Addresses {
  const [first = 0, second = 0] = createHash('sha256').update(cluster).digest();
  const pods = 16 + (first % 224);
  const nodes = 16 + (second % 16);
  return {
    nodeAddress: (n) => `172.${nodes}.${Math.floor(n / 250) % 256}.${(n % 250) + 2}`,
    podNetwork: (n) => `10.${pods}.${n % 256}.0/24`,
    podAddress: (network, uid, taken) =>
      firstFree(HOSTS - 1, numberOf(uid), taken, (host) => `${network.replace(/\.0\/24$/, '')}.${host + 2}`),
    balancerAddress: (name, taken) =>
      firstFree(
        HOSTS * DOCUMENTATION.length,
        numberOf(`${cluster}/${name}`),
        taken,
        (index) => `${DOCUMENTATION[Math.floor(index / HOSTS)]}.${(index % HOSTS) + 1}`,
      ),
  };
}

function firstFree(count: number, start: number, taken: ReadonlySet<string>, at: (index: number) => string): string {
  for (let offset = 0; offset < count; offset++) {
    const address = at((start + offset) % count);
    if (!taken.has(address)) return address;
  }
  return at(start % count);
}

function numberOf(text: string): number {
  return createHash('sha256').update(text).digest().readUInt32BE();
}
