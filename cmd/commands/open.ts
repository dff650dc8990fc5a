/** `kairship open`: where something is in the console, or a link that signs one in there. */
import { AccountService } from '#gen/proto/ghippo/api/account/v1alpha1/account_service_pb.ts';
import { LoginService } from '#gen/proto/ghippo/api/login/v1alpha1/login_service_pb.ts';
import { restMapper } from '#kube/client/rest-mapper.ts';
import { connected, type ConnectionOptions } from '../cli/connection.ts';
import { write } from '../cli/output.ts';
import { isReference, referenceOf } from '../cli/reference.ts';

export interface OpenOptions extends ConnectionOptions {
  readonly namespace: string;
}

/** A reference is `kind/name`, or the name of an instance, or of one of its clusters: `demo/frankfurt`. */
export function open(reference: string | undefined, options: OpenOptions): Promise<void> {
  return connected(options, async (on) => {
    const plain = `http://${new URL(on.server).host}`;
    const address = isLoopback(on.server) ? plain : on.server;
    if (reference === undefined) {
      const { name } = await on.rpc(AccountService).getUser({});
      const { code } = await on.rpc(LoginService).createLoginLink({ user: name });
      return write(`${address}/signin?code=${code}`);
    }
    const instance = await on.theInstance();
    if (!isReference(reference)) return write(`${address}/i/${encodeURIComponent(reference)}`);
    const { kind: word, name } = referenceOf(reference);
    if (word === 'cluster') return write(`${address}/i/${instance}/clusters/${name}`);
    const { kind, namespaced } = await restMapper(on.kube(instance)).byName(word);
    const where = namespaced ? options.namespace : '-';
    write(`${address}/i/${instance}/workloads/${kind}/${where}/${name}`);
  });
}

/** On this machine the console is there without TLS, too, and no browser warns of it. */
function isLoopback(server: string): boolean {
  const { hostname } = new URL(server);
  return hostname === 'localhost' || hostname === '[::1]' || hostname.startsWith('127.');
}
