/**
 * Tells every registered endpoint the state of every binding, at least once, until it acknowledges.
 *
 * What is to be sent is not a queue of events but a difference: the objects there are, against what each endpoint has
 * acknowledged. So nothing is lost by a crash, a deletion nobody saw is found, and an endpoint that was away for a week
 * gets one message for each binding that changed. One message at a time for an endpoint, in order; a slow one holds up
 * nobody else.
 */
import { type Clock, rfc3339 } from '#base/clock.ts';
import { StatusError } from '#base/status-error.ts';
import { GHIPPO_NAMESPACE, WEBHOOK_ENDPOINT, type WebhookEndpoint } from '#ghippo/apis/kinds.ts';
import type { GhippoClients } from '#ghippo/apis/resources.ts';
import type { KubeClient } from '#kube/client/kube-client.ts';
import { setCondition } from '#kube/meta/condition.ts';
import { type Controller, done } from '#kube/runtime/controller.ts';
import type { Informers } from '#kube/runtime/informer.ts';
import { type BindingEvent, type BindingObject, bindingKey, type BindingState, eventId } from './binding-event.ts';
import type { DeliveryStore } from './delivery-store.ts';
import type { Post } from './post.ts';
import { signedHeaders } from './signature.ts';
import { TOLD_KINDS } from './truth.ts';

const SECRET_KEY = 'key';
/** The next key of an endpoint, while both are in use. */
const NEXT_KEY = 'nextKey';
export const DELIVERY_TIMEOUT_MS = 10_000;
const ENDPOINTS_AT_ONCE = 8;

export interface WebhookDeps {
  readonly client: KubeClient;
  readonly clients: GhippoClients;
  readonly informers: Informers;
  readonly deliveries: DeliveryStore;
  readonly post: Post;
  readonly clock: Clock;
}

export function webhookController(deps: WebhookDeps): Controller {
  const { client, clients, deliveries, post, clock } = deps;
  const sources = TOLD_KINDS.map((kind) => ({ kind, informer: deps.informers<BindingObject>(kind) }));
  const endpoints = deps.informers<WebhookEndpoint>(WEBHOOK_ENDPOINT);
  const everyone = () => endpoints.list().map(({ metadata }) => metadata.name);

  /** In the order in which the changes were made, as far as that is known. */
  async function pending(endpoint: string): Promise<readonly BindingState[]> {
    const told = await deliveries.acknowledged(endpoint);
    const states = sources.flatMap(({ informer }) => informer.list().filter(isAlive).map(stateOf));
    const there = new Set(states.map(({ key }) => key));
    const gone = await Promise.all([...told.keys()].filter((key) => !there.has(key)).map(absence));
    const changed = states.filter(({ key, version }) => told.get(key) !== version);
    return [...changed, ...gone.filter((state) => state !== undefined)].toSorted(byVersion);
  }

  /** That an object does not exist, and as of when; undefined if it exists after all. */
  async function absence(key: string): Promise<BindingState | undefined> {
    const [kind = '', name = ''] = key.split('/');
    const gvr = TOLD_KINDS.find((one) => one.kind === kind);
    if (!gvr) return undefined;
    const { items, metadata } = await client.list(gvr, { fieldSelector: `metadata.name=${name}` });
    const isThere = items.some(({ metadata: { deletionTimestamp } }) => deletionTimestamp === undefined);
    return isThere ? undefined : { key, version: metadata.resourceVersion };
  }

  async function keysOf({ spec }: WebhookEndpoint): Promise<readonly string[]> {
    const secret = await clients.secrets.find({ namespace: GHIPPO_NAMESPACE, name: spec.secretName });
    const keys = [SECRET_KEY, NEXT_KEY].flatMap((key) => secret?.data?.[key] ?? []);
    if (keys.length === 0) throw new StatusError('Invalid', `secret "${spec.secretName}" has no key "${SECRET_KEY}"`);
    return keys.map((key) => Buffer.from(key, 'base64').toString());
  }

  async function send(endpoint: WebhookEndpoint, keys: readonly string[], state: BindingState, signal: AbortSignal) {
    const { name } = endpoint.metadata;
    const event: BindingEvent = { ...state, sequence: await deliveries.nextSequence(name) };
    const body = JSON.stringify(event);
    // Before it is sent: should the answer be lost, its end has to be told all the same.
    if (state.object) await deliveries.expect(name, state.key);
    const headers = signedHeaders(keys, { id: eventId(state), at: clock.now(), body });
    await post(endpoint.spec.url, headers, body, AbortSignal.any([signal, AbortSignal.timeout(DELIVERY_TIMEOUT_MS)]));
    if (state.object) await deliveries.acknowledge(name, state.key, state.version);
    else await deliveries.forget(name, state.key);
  }

  async function report(endpoint: WebhookEndpoint, failure?: unknown): Promise<void> {
    const message = failure instanceof Error ? failure.message : '';
    const conditions = setCondition(
      endpoint.status?.conditions ?? [],
      failure === undefined
        ? { type: 'Delivering', status: 'True', reason: 'Acknowledged', message: '' }
        : { type: 'Delivering', status: 'False', reason: 'Refused', message },
      rfc3339(clock.now()),
    );
    const current = await clients.webhookEndpoints.find(endpoint.metadata.name);
    if (current) await clients.webhookEndpoints.updateStatus(current, { conditions });
  }

  return {
    name: 'ghippo-webhook',
    concurrency: ENDPOINTS_AT_ONCE,
    watches: [{ gvr: WEBHOOK_ENDPOINT }, ...TOLD_KINDS.map((gvr) => ({ gvr, wakes: everyone }))],
    async reconcile({ key, signal }) {
      const endpoint = await clients.webhookEndpoints.find(key);
      if (!endpoint) {
        await deliveries.forgetEndpoint(key);
        return done;
      }
      if (endpoint.spec.disabled) return done;
      const todo = await pending(key);
      if (todo.length === 0) return done;
      try {
        const keys = await keysOf(endpoint);
        for (const state of todo) await send(endpoint, keys, state, signal);
      } catch (error) {
        await report(endpoint, error).catch(() => undefined);
        throw error;
      }
      await report(endpoint);
      return done;
    },
  };
}

function isAlive({ metadata }: BindingObject): boolean {
  return metadata.deletionTimestamp === undefined;
}

function stateOf(object: BindingObject): BindingState {
  return { key: bindingKey(object), version: object.metadata.resourceVersion ?? '0', object };
}

function byVersion(a: BindingState, b: BindingState): number {
  return BigInt(a.version) < BigInt(b.version) ? -1 : 1;
}
