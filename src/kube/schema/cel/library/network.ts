/** URLs, IP addresses and CIDRs. */
import { isIP } from 'node:net';
import { CelError } from '../cel-error.ts';
import { global, member, type Overload, T } from '../function.ts';
import { type Address, type CelMap, list, map } from '../value.ts';

type UrlValue = { readonly cel: 'kubernetes.URL'; readonly url: URL; readonly text: string };
type IpValue = { readonly cel: 'net.IP'; readonly address: Address };
type CidrValue = { readonly cel: 'net.CIDR'; readonly address: Address; readonly bits: number };

/** A URL with a scheme, or a path; the scheme `x` stands for none. */
function parseUrl(text: string): UrlValue | undefined {
  if (/[\s\p{Cc}]/u.test(text)) return undefined;
  const absolute = /^[a-zA-Z][a-zA-Z0-9+.-]*:/.test(text);
  if (!absolute && !text.startsWith('/')) return undefined;
  const url = URL.parse(absolute ? text : `x://${text}`);
  return url ? { cel: 'kubernetes.URL', url, text } : undefined;
}

function parts(text: string): { scheme: string; host: string; path: string; query: string } {
  const match = /^(?:([a-zA-Z][a-zA-Z0-9+.-]*):)?(?:\/\/([^/?#]*))?([^?#]*)(?:\?([^#]*))?/.exec(text);
  const [, scheme = '', authority = '', path = '', query = ''] = match ?? [];
  return { scheme: scheme.toLowerCase(), host: authority.slice(authority.lastIndexOf('@') + 1), path, query };
}

function hostname(host: string): string {
  return host.startsWith('[') ? host.slice(1, host.indexOf(']')) : host.replace(/:\d*$/, '');
}

function port(host: string): string {
  return /:(\d*)$/.exec(host.replace(/^\[[^\]]*\]/, ''))?.[1] ?? '';
}

function queryOf(query: string): CelMap {
  const values = new Map<string, string[]>();
  for (const [key, value] of new URLSearchParams(query)) values.set(key, [...(values.get(key) ?? []), value]);
  return map([...values].map(([key, all]) => [key, list(all)]));
}

const URLS: readonly Overload[] = [
  global('url', [T.string], T.url, (text) => {
    const url = parseUrl(text);
    if (!url)
      throw new CelError(
        `URL parse error during conversion from string: parse ${JSON.stringify(text)}: invalid URI for request`,
      );
    return url;
  }),
  global('isURL', [T.string], T.bool, (text) => parseUrl(text) !== undefined),
  member('getScheme', [T.url], T.string, ({ text }) => parts(text).scheme),
  member('getHost', [T.url], T.string, ({ text }) => parts(text).host),
  member('getHostname', [T.url], T.string, ({ text }) => hostname(parts(text).host)),
  member('getPort', [T.url], T.string, ({ text }) => port(parts(text).host)),
  member('getEscapedPath', [T.url], T.string, ({ text }) => parts(text).path),
  member('getQuery', [T.url], T.map(T.string, T.list(T.string)), ({ text }) => queryOf(parts(text).query)),
];

/** The address, or Go's words for why there is none. */
function parseAddress(text: string): Address | string {
  const shown = JSON.stringify(text);
  const version = isIP(text);
  if (version === 0) {
    return `IP Address ${shown} parse error during conversion from string: ParseAddr(${shown}): ${addressProblem(text)}`;
  }
  if (text.includes('%')) return `IP address ${shown} with zone value is not allowed`;
  if (version === 4) return { family: 4, bits: v4Bits(text) };
  if (/^::ffff:\d+\.\d+\.\d+\.\d+$/i.test(text)) return `IPv4-mapped IPv6 address ${shown} is not allowed`;
  return { family: 6, bits: v6Bits(text) };
}

function addressProblem(text: string): string {
  if (text.includes(':') || !text.includes('.')) return 'unable to parse IP';
  const parts = text.split('.');
  if (parts.some((part) => /^0\d/.test(part))) return 'IPv4 field has octet with leading zero';
  if (parts.some((part) => /^\d+$/.test(part) && Number(part) > 255)) return 'IPv4 field has value >255';
  if (parts.length < 4) return 'IPv4 address too short';
  return parts.length > 4 ? 'IPv4 address too long' : 'unable to parse IP';
}

function v4Bits(text: string): bigint {
  return text.split('.').reduce((bits, part) => (bits << 8n) | BigInt(part), 0n);
}

function v6Bits(text: string): bigint {
  const dotted = /(\d+\.\d+\.\d+\.\d+)$/.exec(text)?.[1];
  const plain = dotted === undefined ? text : text.slice(0, -dotted.length) + v4Groups(v4Bits(dotted));
  const [left = '', right] = plain.split('::');
  const head = left === '' ? [] : left.split(':');
  const tail = right === undefined || right === '' ? [] : right.split(':');
  const groups = [...head, ...Array<string>(8 - head.length - tail.length).fill('0'), ...tail];
  return groups.reduce((bits, group) => (bits << 16n) | BigInt(`0x${group}`), 0n);
}

function v4Groups(bits: bigint): string {
  return `${(bits >> 16n).toString(16)}:${(bits & 0xffffn).toString(16)}`;
}

/** The canonical spelling: the longest run of zero groups is left out. */
function addressText({ family, bits }: Address): string {
  if (family === 4) return [24n, 16n, 8n, 0n].map((shift) => (bits >> shift) & 0xffn).join('.');
  const groups = Array.from({ length: 8 }, (_, index) => ((bits >> BigInt(112 - 16 * index)) & 0xffffn).toString(16));
  const text = groups.join(':');
  const runs = [...text.matchAll(/(?:^|:)0(?::0)+(?=:|$)/g)].map((match) => match[0]);
  const longest = runs.reduce((best, run) => (run.length > best.length ? run : best), '');
  if (longest === '') return text;
  return text.replace(longest, '::').replace(/:{3,}/, '::');
}

function ip(text: string): IpValue {
  const address = parseAddress(text);
  if (typeof address === 'string') throw new CelError(address);
  return { cel: 'net.IP', address };
}

function isAddress(text: string): boolean {
  return typeof parseAddress(text) !== 'string';
}

function parseCidr(text: string): CidrValue | string {
  const words = 'network address parse error during conversion from string: ';
  const refuse = (why: string) => `${words}${words}netip.ParsePrefix(${JSON.stringify(text)}): ${why}`;
  const slash = text.lastIndexOf('/');
  if (slash < 0) return refuse(`no '/'`);
  const address = parseAddress(text.slice(0, slash));
  if (typeof address === 'string') return refuse(address.replace(/^.*?(?=ParseAddr)/, ''));
  const bits = text.slice(slash + 1);
  if (!/^(?:0|[1-9]\d*)$/.test(bits)) return refuse(`bad bits after slash: ${JSON.stringify(bits)}`);
  if (Number(bits) > widthOf(address)) return refuse('prefix length out of range');
  return { cel: 'net.CIDR', address, bits: Number(bits) };
}

function widthOf({ family }: Address): number {
  return family === 4 ? 32 : 128;
}

function maskedBits(address: Address, bits: number): bigint {
  const host = BigInt(widthOf(address) - bits);
  return (address.bits >> host) << host;
}

function cidr(text: string): CidrValue {
  const parsed = parseCidr(text);
  if (typeof parsed === 'string') throw new CelError(parsed);
  return parsed;
}

function contains(network: CidrValue, { family, bits }: Address): boolean {
  if (family !== network.address.family) return false;
  return maskedBits({ family, bits }, network.bits) === maskedBits(network.address, network.bits);
}

/** Whether the address is in `prefix/length`. */
function within(address: Address, network: string): boolean {
  return contains(cidr(network), address);
}

const v4 = (address: Address, network: string) => address.family === 4 && within(address, network);
const v6 = (address: Address, network: string) => address.family === 6 && within(address, network);
const isMulticast = (address: Address) => v4(address, '224.0.0.0/4') || v6(address, 'ff00::/8');
const isLoopback = (address: Address) => v4(address, '127.0.0.0/8') || v6(address, '::1/128');
const isLinkLocal = (address: Address) => v4(address, '169.254.0.0/16') || v6(address, 'fe80::/10');

function isGlobalUnicast(address: Address): boolean {
  const isBroadcast = address.family === 4 && address.bits === 0xffffffffn;
  return address.bits !== 0n && !isBroadcast && !isMulticast(address) && !isLoopback(address) && !isLinkLocal(address);
}

const ADDRESSES: readonly Overload[] = [
  global('ip', [T.string], T.ip, ip),
  global('isIP', [T.string], T.bool, isAddress),
  global('ip.isCanonical', [T.string], T.bool, (text) => addressText(ip(text).address) === text),
  global('string', [T.ip], T.string, ({ address }) => addressText(address)),
  member('family', [T.ip], T.int, ({ address }) => BigInt(address.family)),
  member('isUnspecified', [T.ip], T.bool, ({ address }) => address.bits === 0n),
  member('isLoopback', [T.ip], T.bool, ({ address }) => isLoopback(address)),
  member(
    'isLinkLocalMulticast',
    [T.ip],
    T.bool,
    ({ address }) => v4(address, '224.0.0.0/24') || v6(address, 'ff02::/16'),
  ),
  member('isLinkLocalUnicast', [T.ip], T.bool, ({ address }) => isLinkLocal(address)),
  member('isGlobalUnicast', [T.ip], T.bool, ({ address }) => isGlobalUnicast(address)),
];

const CIDRS: readonly Overload[] = [
  global('cidr', [T.string], T.cidr, cidr),
  global('isCIDR', [T.string], T.bool, (text) => typeof parseCidr(text) !== 'string'),
  global('string', [T.cidr], T.string, ({ address, bits }) => `${addressText(address)}/${bits}`),
  member('containsIP', [T.cidr, T.ip], T.bool, (network, { address }) => contains(network, address)),
  member('containsIP', [T.cidr, T.string], T.bool, (network, text) => contains(network, ip(text).address)),
  member('containsCIDR', [T.cidr, T.cidr], T.bool, (a, b) => a.bits <= b.bits && contains(a, b.address)),
  member('containsCIDR', [T.cidr, T.string], T.bool, (a, text) => {
    const b = cidr(text);
    return a.bits <= b.bits && contains(a, b.address);
  }),
  member('ip', [T.cidr], T.ip, ({ address }) => ({ cel: 'net.IP', address })),
  member('masked', [T.cidr], T.cidr, ({ address, bits }) => ({
    cel: 'net.CIDR',
    address: { family: address.family, bits: maskedBits(address, bits) },
    bits,
  })),
  member('prefixLength', [T.cidr], T.int, ({ bits }) => BigInt(bits)),
];

export const NETWORK: readonly Overload[] = [...URLS, ...ADDRESSES, ...CIDRS];
