/**
 * Members in trouble of every kind, again and again, at random moments while templates come, change and go. In the end
 * every member has exactly what the templates left say: nothing lost, nothing left over, nothing old.
 */
import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import { CLUSTER, type Cluster, PROPAGATION_POLICY } from '#karmada/apis/index.ts';
import { appears, CONFIG_MAP, configMap, policy, register, startMember, testPlane } from '#karmada/engine/testing.ts';
import type { KubeClient } from '#kube/client/kube-client.ts';
import { randomOf } from '../kube/random.ts';
import { eventually } from '../platform.ts';
import { type Trouble, type TroubledLink, troubledLink } from '../resilience/troubled-link.ts';

export interface MemberTroubleRun {
  readonly seed: number;
  readonly rounds: number;
}

export interface MemberTroubleReport {
  readonly operations: number;
  readonly troubles: number;
  readonly left: number;
}

const TROUBLES: readonly Trouble[] = ['none', 'killed', 'hung', 'lost', 'slow'];
const NAMES = ['bad-1', 'bad-2'];
const NAMESPACE = 'default';
const WRITES = 40;
const LONGEST_MS = 3_000;
const ENGINE = {
  clusterStatus: { everyMs: 50, probeTimeoutMs: 1_000, thresholds: { successMs: 0, failureMs: 0 } },
};

export async function memberTrouble({ seed, rounds }: MemberTroubleRun): Promise<MemberTroubleReport> {
  const ends: (() => unknown)[] = [];
  const t = { after: (end: () => unknown) => void ends.unshift(end) };
  try {
    const plane = await testPlane(t, ['good'], { engine: ENGINE });
    const members = [plane.member('good').client];
    const links: TroubledLink[] = [];
    for (const name of NAMES) {
      const member = await startMember(t);
      const link = await troubledLink(member.url);
      t.after(() => link.close());
      await register(plane.client, name, link.url);
      await appears<Cluster>(plane.client, CLUSTER, { name }, isReady);
      members.push(member.client);
      links.push(link);
    }
    const placement = { clusterTolerations: [{ operator: 'Exists' }] };
    await plane.client.create(PROPAGATION_POLICY, policy('everywhere', { placement }));
    return await trouble(plane.client, members, links, { seed, rounds });
  } finally {
    for (const end of ends) await end();
  }
}

async function trouble(
  client: KubeClient,
  members: readonly KubeClient[],
  links: readonly TroubledLink[],
  { seed, rounds }: MemberTroubleRun,
): Promise<MemberTroubleReport> {
  const random = randomOf(seed);
  /** What each template says now. */
  const wanted = new Map<string, string>();
  const counts = { operations: 0, troubles: 0 };
  for (let round = 0; round < rounds; round++) {
    for (const link of links) {
      const next = random.pick(TROUBLES);
      if (next !== 'none') counts.troubles++;
      await link.set(next);
    }
    for (let write = 0; write < WRITES; write++) {
      await change(client, wanted, `c-${random.whole(WRITES * 4)}`, `${round}-${write}`, random.chance(0.25));
      counts.operations++;
    }
    await sleep(random.whole(LONGEST_MS));
  }
  for (const link of links) await link.set('none');
  const expected = [...wanted].map(([name, value]) => `${name}=${value}`).sort();
  await eventually(async () => {
    for (const member of members) assert.deepEqual(await copiesIn(member), expected);
  });
  return { ...counts, left: wanted.size };
}

/** Makes a template say something new, or takes away one that is there. */
async function change(
  client: KubeClient,
  wanted: Map<string, string>,
  name: string,
  value: string,
  goes: boolean,
): Promise<void> {
  const at = { namespace: NAMESPACE, name };
  if (!wanted.has(name)) {
    await client.create(CONFIG_MAP, { ...configMap(name), data: { value } });
  } else if (goes) {
    await client.delete(CONFIG_MAP, at);
    wanted.delete(name);
    return;
  } else {
    await client.patch(CONFIG_MAP, at, { type: 'merge', body: { data: { value } } });
  }
  wanted.set(name, value);
}

async function copiesIn(member: KubeClient): Promise<readonly string[]> {
  const managed = { namespace: NAMESPACE, labelSelector: 'karmada.io/managed=true' };
  const { items } = await member.list(CONFIG_MAP, managed);
  const valueOf = (data: unknown) => (data as Readonly<Record<string, string>> | undefined)?.['value'];
  return items.map(({ metadata, ...object }) => `${metadata.name}=${valueOf(object['data'])}`).sort();
}

function isReady({ status }: Cluster): boolean {
  return status?.conditions?.some(({ type, status: is }) => type === 'Ready' && is === 'True') ?? false;
}
