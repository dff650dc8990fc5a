/**
 * kill -9 of an instance, its engine and its API server, at random moments while templates come, change and go. In the
 * end every member has exactly what the templates left say: nothing lost, nothing left over, nothing twice.
 */
import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import { hasReason } from '#base/status-error.ts';
import { PROPAGATION_POLICY, RESOURCE_BINDING, type Work, WORK } from '#karmada/apis/index.ts';
import {
  CONFIG_MAP,
  configMap,
  DEPLOYMENT,
  deployment,
  type Ending,
  policy,
  register,
  startMember,
} from '#karmada/engine/testing.ts';
import type { KubeClient } from '#kube/client/kube-client.ts';
import type { Gvr } from '#kube/meta/gvk.ts';
import type { KubeObject } from '#kube/meta/object.ts';
import { type Random, randomOf } from '../kube/random.ts';
import { eventually } from '../platform.ts';
import { type OurProgram, startProgram } from '../real/our-program.ts';

export interface EngineKillRun {
  readonly directory: string;
  readonly seed: number;
  readonly templates: number;
  readonly kills: number;
}

export interface EngineKillReport {
  readonly operations: number;
  readonly kills: number;
  /** Templates that were not deleted again. */
  readonly left: number;
}

const MEMBERS = ['m1', 'm2'];
const WORKERS = 8;
const RETRY_MS = 20;

/** One template's life, in order. */
interface Life {
  readonly name: string;
  readonly gvr: Gvr;
  readonly steps: readonly ('create' | 'update' | 'delete')[];
}

export async function killEngine(run: EngineKillRun): Promise<EngineKillReport> {
  const ends: (() => unknown)[] = [];
  try {
    return await killAndCheck(run, { after: (end) => void ends.unshift(end) });
  } finally {
    for (const end of ends) await end();
  }
}

async function killAndCheck(
  { directory, seed, templates, kills }: EngineKillRun,
  t: Ending,
): Promise<EngineKillReport> {
  const random = randomOf(seed);
  const members = await Promise.all(MEMBERS.map(() => startMember(t)));
  let instance: OurProgram = await startProgram(directory, 'karmada');
  t.after(() => instance.stop());
  const port = new URL(instance.client.config.server).port;
  for (const [at, name] of MEMBERS.entries()) await register(instance.client, name, members[at]?.url ?? '');
  const placement = { clusterTolerations: [{ operator: 'Exists' }] };
  await instance.client.create(PROPAGATION_POLICY, policy('everywhere', { placement }));

  const lives = Array.from({ length: templates }, (_, n) => lifeOf(n, random));
  const total = lives.reduce((sum, { steps }) => sum + steps.length, 0);
  const moments = Array.from({ length: kills }, () => 1 + random.whole(total - 1)).sort((a, b) => a - b);
  let done = 0;
  let killed = 0;
  let restarting: Promise<void> = Promise.resolve();

  async function restart(): Promise<void> {
    instance.kill();
    await eventually(async () => assert.equal(isAlive(instance.pid), false));
    instance = await startProgram(directory, 'karmada', ['--port', port]);
  }

  async function live(life: Life): Promise<void> {
    for (const [version, step] of life.steps.entries()) {
      await insist(() => take(instance.client, life, step, version));
      done += 1;
      // Several may be due at once: one after another.
      while (killed < moments.length && (moments[killed] ?? 0) <= done) {
        killed += 1;
        restarting = restarting.then(restart);
      }
    }
  }

  const waiting = [...lives];
  await Promise.all(
    Array.from({ length: WORKERS }, async () => {
      for (let life = waiting.shift(); life; life = waiting.shift()) await live(life);
    }),
  );
  await restarting;
  const left = lives.filter(({ steps }) => steps.at(-1) !== 'delete');
  await eventually(
    () =>
      check(
        instance.client,
        members.map(({ client }) => client),
        left,
      ),
    180_000,
  );
  return { operations: total, kills: killed, left: left.length };
}

function lifeOf(number: number, random: Random): Life {
  const updates = Array.from({ length: random.whole(3) }, () => 'update' as const);
  const gvr = number % 3 === 0 ? DEPLOYMENT : CONFIG_MAP;
  const ends = random.whole(3) === 0 ? (['delete'] as const) : [];
  return { name: `t-${number}`, gvr, steps: ['create', ...updates, ...ends] };
}

/** What a template says after so many steps. */
function stateOf({ name, gvr }: Life, version: number): KubeObject {
  if (gvr === DEPLOYMENT) return deployment(name, 1 + version);
  return { ...configMap(name), data: { version: String(version) } };
}

async function take(client: KubeClient, life: Life, step: Life['steps'][number], version: number): Promise<void> {
  const key = { namespace: 'default', name: life.name };
  const wanted = stateOf(life, version);
  // Whoever was not answered does not know whether it happened: asking again must do no harm.
  if (step === 'create') await client.create(life.gvr, wanted).catch(unless('AlreadyExists'));
  else if (step === 'delete') await client.delete(life.gvr, key).catch(unless('NotFound'));
  else {
    const body = life.gvr === DEPLOYMENT ? { spec: { replicas: 1 + version } } : { data: wanted['data'] };
    await client.patch(life.gvr, key, { type: 'merge', body });
  }
}

const unless =
  (reason: 'AlreadyExists' | 'NotFound') =>
  (error: unknown): void => {
    if (!hasReason(error, reason)) throw error;
  };

/** Again until it is acknowledged; what was acknowledged before and is gone now is the end. */
async function insist(act: () => Promise<void>): Promise<void> {
  for (;;) {
    try {
      return await act();
    } catch (error) {
      if (hasReason(error, 'NotFound', 'Invalid', 'Forbidden')) throw error;
      await sleep(RETRY_MS);
    }
  }
}

async function check(control: KubeClient, members: readonly KubeClient[], left: readonly Life[]): Promise<void> {
  const expected = left.map((life) => stateText(stateOf(life, life.steps.length - 1))).sort();
  for (const member of members) {
    const managed = { namespace: 'default', labelSelector: 'karmada.io/managed=true' };
    const lists = await Promise.all([CONFIG_MAP, DEPLOYMENT].map((gvr) => member.list(gvr, managed)));
    assert.deepEqual(lists.flatMap(({ items }) => items.map(stateText)).sort(), expected);
  }
  const bindings = await control.list(RESOURCE_BINDING, { namespace: 'default' });
  assert.equal(bindings.items.length, left.length, 'one binding for each template');
  const works = await control.list<Work>(WORK, { labelSelector: 'resourcebinding.karmada.io/permanent-id' });
  assert.equal(works.items.length, left.length * members.length, 'one Work for each template and member');
  for (const { status, metadata } of works.items) {
    const applied = status?.conditions?.find(({ type }) => type === 'Applied')?.status;
    assert.equal(applied, 'True', `Work ${metadata.name}`);
  }
}

function stateText({ kind, metadata, ...object }: KubeObject): string {
  const { replicas } = (object['spec'] ?? {}) as { readonly replicas?: number };
  return `${kind} ${metadata.name} ${replicas ?? JSON.stringify(object['data'])}`;
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}
