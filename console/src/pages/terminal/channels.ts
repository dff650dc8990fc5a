/** What a terminal and a command in a pod say to each other over a WebSocket: `v5.channel.k8s.io`. Pure. */
export const PROTOCOL = 'v5.channel.k8s.io';

const KEYS = 0;
const OUT = 1;
const COMPLAINT = 2;
const END = 3;
const SIZE = 4;

export type Heard =
  | { readonly kind: 'output'; readonly bytes: Uint8Array }
  | { readonly kind: 'end'; readonly ok: boolean; readonly message: string };

const encoder = new TextEncoder();

export function keysMessage(keys: string): Uint8Array<ArrayBuffer> {
  return framed(KEYS, keys);
}

export function sizeMessage(columns: number, rows: number): Uint8Array<ArrayBuffer> {
  return framed(SIZE, JSON.stringify({ Width: columns, Height: rows }));
}

/** Undefined for what says nothing to a terminal. */
export function heard(data: ArrayBuffer): Heard | undefined {
  const [channel] = new Uint8Array(data, 0, Math.min(1, data.byteLength));
  const bytes = new Uint8Array(data).subarray(1);
  if (channel === OUT || channel === COMPLAINT) return { kind: 'output', bytes };
  return channel === END ? endOf(new TextDecoder().decode(bytes)) : undefined;
}

function endOf(text: string): Heard {
  try {
    const { status, message = '' } = JSON.parse(text) as { readonly status?: string; readonly message?: string };
    return { kind: 'end', ok: status === 'Success', message };
  } catch {
    return { kind: 'end', ok: false, message: text };
  }
}

function framed(channel: number, text: string): Uint8Array<ArrayBuffer> {
  const bytes = encoder.encode(text);
  const message = new Uint8Array(bytes.length + 1);
  message[0] = channel;
  message.set(bytes, 1);
  return message;
}

export interface PodAddress {
  readonly instance: string;
  readonly cluster: string;
  readonly namespace: string;
  readonly pod: string;
  readonly container: string;
}

/** Where a command in a pod is run, through the proxy of the instance, as its caller. */
export function execPath(
  { instance, cluster, namespace, pod, container }: PodAddress,
  command: readonly string[],
): string {
  const [i, c, n, p] = [instance, cluster, namespace, pod].map(encodeURIComponent);
  const query = new URLSearchParams({ stdin: 'true', stdout: 'true', tty: 'true' });
  if (container) query.set('container', container);
  for (const word of command) query.append('command', word);
  return `/instances/${i}/kube/apis/cluster.karmada.io/v1alpha1/clusters/${c}/proxy/api/v1/namespaces/${n}/pods/${p}/exec?${query}`;
}
