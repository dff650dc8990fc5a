/**
 * Many simulated members in one process, for measurements with more of them than a machine has room for processes.
 *
 *     node member-farm.ts FOLDER NAME…
 *
 * Each is a whole cluster with an API server, controllers and a port of its own; they share a certificate, and each
 * keeps its objects in memory. Tells its parent how to reach them, and ends with it.
 */
import { randomBytes } from 'node:crypto';
import { MASTERS, staticTokens } from '#kube/apiserver/index.ts';
import { newServiceAccountKey } from '#kube/auth/service-account-token.ts';
import type { ClusterConfig } from '#kube/client/cluster-config.ts';
import { serving } from '#kube/pki/index.ts';
import { memoryStore } from '#kube/store/index.ts';
import { memberCluster } from '#members/member.ts';

/** What a farm tells its parent. */
export interface FarmNews {
  readonly members: readonly { readonly name: string; readonly config: ClusterConfig }[];
}

const [directory = '', ...names] = process.argv.slice(2);
const tls = await serving({ directory, commonName: 'bench' });
const token = randomBytes(32).toString('base64url');
const members: FarmNews['members'][number][] = [];
for (const name of names) {
  const server = await memberCluster({
    name,
    nodes: { count: 1, cpu: '8', memory: '32Gi' },
    store: memoryStore(),
    authenticators: [staticTokens({ [token]: { name: 'admin', groups: [MASTERS] } })],
    serviceAccountKey: newServiceAccountKey(),
    ca: () => tls.ca.cert,
  });
  const { url } = await server.listen({ host: '127.0.0.1', port: 0, tls: { ...tls.current(), ca: tls.ca.cert } });
  members.push({ name, config: { server: url, ca: tls.ca.cert, token } });
}
process.on('disconnect', () => process.exit(0));
process.send?.({ members } satisfies FarmNews);
