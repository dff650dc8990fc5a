/**
 * One request, two servers: sends what is made up from the schemas to a real kube-apiserver and to ours, in the same
 * order, and says where the answers differ in code, reason, message or body.
 *
 * What no two servers have in common (identifiers, times, revisions, addresses given out) is made equal first. After a
 * difference the object it was about is taken away on both sides, so that one mistake is reported once.
 */
import { Agent } from 'node:https';
import { setTimeout as pause } from 'node:timers/promises';
import { type Answer, ask, type Ask, type Endpoint } from '../kube/kube-server.ts';
import { randomOf } from '../kube/random.ts';
import { catalogue, defineWidgets, requestMaker, type Resource } from '../kube/random-requests.ts';
import { comparable, type Comparable } from './comparable-answer.ts';
import { type Difference, differences } from './differences.ts';

export interface Differing {
  readonly asked: Ask;
  readonly found: readonly Difference[];
}

export interface Comparison {
  readonly real: Endpoint;
  readonly ours: Endpoint;
  readonly seed: number;
  readonly requests: number;
  /** Whether a difference is meant. */
  readonly intended: (asked: Ask, difference: Difference, all: readonly Difference[]) => boolean;
  readonly told?: (differing: Differing) => void;
}

interface Side {
  readonly endpoint: Endpoint;
  readonly agent: Agent;
}

const PATIENCE_MS = 15_000;
const OFTEN_MS = 20;

/** Sends `requests` requests to both; answers what differs and is not meant. */
export async function compareServers(comparison: Comparison): Promise<readonly Differing[]> {
  const { seed, requests, intended, told } = comparison;
  const sides = [comparison.real, comparison.ours].map(
    (endpoint): Side => ({ endpoint, agent: new Agent({ keepAlive: true, maxSockets: 1 }) }),
  );
  for (const { endpoint } of sides) await defineWidgets(endpoint);
  const resources = (await catalogue(comparison.real)).filter(isComparable);
  const random = randomOf(seed);
  const next = requestMaker(random, resources);
  const all: Differing[] = [];
  for (let i = 0; i < requests; i++) {
    const asked = harmless(inJson(next()));
    const [real, ours] = await both(sides, asked);
    let found = differences(real, ours);
    if (asked.method === 'DELETE' && real.code < 300 && ours.code < 300)
      found = [...found, ...(await settled(sides, asked))];
    const unmeant = found.filter((difference) => !intended(asked, difference, found));
    if (found.length > 0 && Math.min(real.code, ours.code) < 300) await forget(sides, asked);
    if (unmeant.length === 0) continue;
    const differing = { asked, found: unmeant };
    told?.(differing);
    all.push(differing);
  }
  for (const { agent } of sides) agent.destroy();
  return all;
}

async function both(sides: readonly Side[], asked: Ask): Promise<[Comparable, Comparable]> {
  const [real, ours] = await Promise.all(sides.map(async (side) => comparable(asked, await sent(side, asked))));
  if (!real || !ours) throw new Error('there are two sides');
  return [real, ours];
}

function sent({ endpoint, agent }: Side, asked: Ask): Promise<Answer> {
  return ask(endpoint, { ...asked, agent, signal: AbortSignal.timeout(PATIENCE_MS) });
}

/** Connections that stay open, and what acts on other objects than the one asked for, cannot be compared one by one. */
function isComparable({ resource, path }: Resource): boolean {
  return !/\/(proxy|exec|attach|portforward|log)$/.test(resource) && !path.startsWith('apis/apiregistration');
}

/** We answer everybody in JSON, whatever else they would take: there would be nothing to compare. */
function inJson(asked: Ask): Ask {
  const { accept = '' } = asked.headers ?? {};
  return accept.includes('protobuf') ? { ...asked, headers: { ...asked.headers, accept: 'application/json' } } : asked;
}

/** What would decide about later requests is only tried, and collections are emptied of our own objects only. */
function harmless(asked: Ask): Ask {
  const { method = 'GET', path } = asked;
  const query = (add: string) => ({ ...asked, path: `${path}${path.includes('?') ? '&' : '?'}${add}` });
  if (method === 'GET') return asked;
  if (/^\/apis\/(admissionregistration|flowcontrol)/.test(path)) return query('dryRun=All');
  const isCollection = method === 'DELETE' && !/\/(a|b|c|default)(\/[a-z]+)?(\?|$)/.test(path);
  return isCollection ? query('labelSelector=a%3Db') : asked;
}

/** A deletion may go on in the background: both sides must come to the same. */
async function settled(sides: readonly Side[], { path }: Ask): Promise<readonly Difference[]> {
  const place = path.replace(/\?.*/, '');
  for (const deadline = Date.now() + PATIENCE_MS; ; await pause(OFTEN_MS)) {
    const [real, ours] = await both(sides, { path: place });
    const found = differences({ afterwards: real }, { afterwards: ours });
    if ((found.length === 0 && isSteady(real)) || Date.now() > deadline) return found;
  }
}

function isSteady({ code, body }: Comparable): boolean {
  const { metadata, kind } = (body ?? {}) as { kind?: string; metadata?: { deletionTimestamp?: string } };
  return code !== 200 || kind !== 'Namespace' || metadata?.deletionTimestamp === undefined;
}

const NAMES = ['a', 'b', 'c', 'default'];

/** Takes away what was asked about, whatever holds it. */
async function forget(sides: readonly Side[], { path, method = 'GET' }: Ask): Promise<void> {
  if (method === 'GET') return;
  const place = path.replace(/\?.*/, '');
  const collection = /^(\/api\/v1|\/apis\/[^/]+\/[^/]+)(\/namespaces\/[^/]+)?\/[a-z]+(?=\/|$)/.exec(place)?.[0] ?? '';
  const headers = { 'content-type': 'application/merge-patch+json' };
  const free = { metadata: { finalizers: null } };
  for (const side of sides) {
    for (const name of NAMES) {
      if (name === 'default' && /\/(namespaces|serviceaccounts)$/.test(collection)) continue;
      const at = `${collection}/${name}`;
      if ((await sent(side, { path: at })).code !== 200) continue;
      await sent(side, { method: 'PATCH', path: at, body: free, headers });
      await sent(side, { method: 'DELETE', path: `${at}?gracePeriodSeconds=0&propagationPolicy=Background` });
    }
  }
  await settled(sides, { path: `${collection}/a` });
}
