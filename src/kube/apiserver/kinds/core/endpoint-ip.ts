import { BlockList, isIP } from 'node:net';
import { invalid } from '#kube/meta/field-error.ts';
import type { Errors } from '../kind.ts';

const LOOPBACK = ranges(['127.0.0.0', 8, 'ipv4'], ['::1', 128, 'ipv6']);
const LINK_LOCAL = ranges(['169.254.0.0', 16, 'ipv4'], ['fe80::', 10, 'ipv6']);
const LINK_LOCAL_MULTICAST = ranges(['224.0.0.0', 24, 'ipv4'], ['ff02::', 16, 'ipv6']);

function ranges(...list: readonly (readonly [address: string, bits: number, family: 'ipv4' | 'ipv6'])[]): BlockList {
  const block = new BlockList();
  for (const [address, bits, family] of list) block.addSubnet(address, bits, family);
  return block;
}

/** An address traffic may be sent to: not one that means this machine, or anyone nearby. */
export function* endpointIp(ip: string, path: string): Errors {
  const version = isIP(ip);
  if (version === 0) return yield invalid(path, ip, 'must be a valid IP address');
  const family = version === 4 ? 'ipv4' : 'ipv6';
  if (ip === '0.0.0.0' || ip === '::') yield invalid(path, ip, `may not be unspecified (${ip})`);
  if (LOOPBACK.check(ip, family)) yield invalid(path, ip, 'may not be in the loopback range (127.0.0.0/8, ::1/128)');
  if (LINK_LOCAL.check(ip, family)) {
    yield invalid(path, ip, 'may not be in the link-local range (169.254.0.0/16, fe80::/10)');
  }
  if (LINK_LOCAL_MULTICAST.check(ip, family)) {
    yield invalid(path, ip, 'may not be in the link-local multicast range (224.0.0.0/24, ff02::/10)');
  }
}
