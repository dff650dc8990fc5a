/** The addresses of all members' load balancers: each once, with the ports of all who named it, in a fixed order. */
import { type Fields, listAt, numberAt, stringAt } from './fields.ts';

export function mergeIngress(ingress: readonly Fields[]): readonly Fields[] {
  const byAddress = new Map<string, { readonly address: Fields; readonly ports: Map<string, Fields> }>();
  for (const each of ingress) {
    const { ports: _, ...address } = each;
    const key = JSON.stringify([each['hostname'] ?? '', each['ip'] ?? '', each['ipMode'] ?? '']);
    const entry = byAddress.get(key) ?? { address, ports: new Map<string, Fields>() };
    for (const port of listAt(each, 'ports')) entry.ports.set(portKey(port), port);
    byAddress.set(key, entry);
  }
  return [...byAddress.values()].map(withPorts).sort(byName);
}

function withPorts({
  address,
  ports,
}: {
  readonly address: Fields;
  readonly ports: ReadonlyMap<string, Fields>;
}): Fields {
  if (ports.size === 0) return address;
  return { ...address, ports: [...ports.values()].sort(byPort) };
}

function portKey(port: Fields): string {
  return JSON.stringify([port['port'], port['protocol'], port['error']]);
}

function byPort(a: Fields, b: Fields): number {
  return (
    (numberAt(a, 'port') ?? 0) - (numberAt(b, 'port') ?? 0) ||
    compare(stringAt(a, 'protocol') ?? '', stringAt(b, 'protocol') ?? '') ||
    compare(stringAt(a, 'error') ?? '', stringAt(b, 'error') ?? '')
  );
}

/** Host names before bare addresses. */
function byName(a: Fields, b: Fields): number {
  const [hostA, hostB] = [stringAt(a, 'hostname') ?? '', stringAt(b, 'hostname') ?? ''];
  if (hostA !== hostB && (hostA === '' || hostB === '')) return hostA === '' ? 1 : -1;
  return (
    compare(hostA, hostB) ||
    compare(stringAt(a, 'ip') ?? '', stringAt(b, 'ip') ?? '') ||
    compare(stringAt(a, 'ipMode') ?? '', stringAt(b, 'ipMode') ?? '')
  );
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
