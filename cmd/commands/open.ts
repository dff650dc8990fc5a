/** `kairship open`: where something is in the console, or a link that signs one in there. */
import { AccountService } from '#gen/proto/ghippo/api/account/v1alpha1/account_service_pb.ts';
import { LoginService } from '#gen/proto/ghippo/api/login/v1alpha1/login_service_pb.ts';
import { InstanceService } from '#gen/proto/kairship/api/instance/v1alpha1/instance_service_pb.ts';
import { CLUSTER } from '#karmada/apis/resources.ts';
import { restMapper } from '#kube/client/rest-mapper.ts';
import { connected, type Connection, type ConnectionOptions } from '../cli/connection.ts';
import { consoleAddress } from '../cli/console-address.ts';
import { EXIT, CommandFailure } from '../cli/failure.ts';
import { write } from '../cli/output.ts';
import { isReference, referenceOf } from '../cli/reference.ts';
import { clusterPage, instancePage, objectPage } from './console-pages.ts';

export interface OpenOptions extends ConnectionOptions {
  readonly namespace: string;
}

/** A reference is `kind/name`, the name of an instance, or of one of its clusters: `demo/frankfurt`. */
export function open(reference: string | undefined, options: OpenOptions): Promise<void> {
  return connected(options, async (on) => {
    const path = reference === undefined ? await signInPath(on) : await pathOf(on, reference, options);
    write(consoleAddress(on.server) + path);
  });
}

async function signInPath(on: Connection): Promise<string> {
  const { name } = await on.rpc(AccountService).getUser({});
  const { code } = await on.rpc(LoginService).createLoginLink({ user: name });
  return `/signin?code=${code}`;
}

/** What is not there has no page: it is looked for first. */
async function pathOf(on: Connection, reference: string, { namespace }: OpenOptions): Promise<string> {
  if (!isReference(reference)) {
    await on.rpc(InstanceService).getInstance({ name: reference });
    return instancePage(reference);
  }
  const { kind: word, name } = referenceOf(reference, 'kairship open');
  if (/^clusters?$/.test(word)) return clusterAt(on, await on.theInstance(), name);
  if (word === 'instance') return pathOf(on, name, { namespace });
  if (await isInstance(on, word)) return clusterAt(on, word, name);
  const client = on.kube(await on.theInstance());
  const mapped = await restMapper(client).byName(word);
  const at = mapped.namespaced ? { namespace, name } : { name };
  await client.get(mapped, at);
  const page = objectPage(await on.theInstance(), mapped, at);
  if (page !== undefined) return page;
  throw new CommandFailure(`the console has no page for a ${mapped.kind}`, {
    why: 'it has them for instances, clusters, policies and what policies distribute',
    next: `kairship describe ${reference} --scope all`,
    code: EXIT.notFound,
  });
}

async function clusterAt(on: Connection, instance: string, name: string): Promise<string> {
  await on.kube(instance).get(CLUSTER, { name });
  return clusterPage(instance, name);
}

async function isInstance(on: Connection, name: string): Promise<boolean> {
  return on
    .rpc(InstanceService)
    .getInstance({ name })
    .then(
      () => true,
      () => false,
    );
}
