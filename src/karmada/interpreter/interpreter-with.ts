/**
 * The interpreter of an engine: customisations first, then webhooks, then third-party knowledge, then what is built in.
 *
 * Customisations and webhooks may change at any time; from the moment their informer knows, every question is answered
 * by the new ones. Start at {@link interpreterWith}; {@link liveInterpreter} feeds it from an API server.
 */
import type { Clock } from '#base/clock.ts';
import type { Ids } from '#base/ids.ts';
import { hasReason } from '#base/status-error.ts';
import {
  RESOURCE_INTERPRETER_CUSTOMIZATION,
  RESOURCE_INTERPRETER_WEBHOOK_CONFIGURATION,
  type ResourceInterpreterCustomization,
  type ResourceInterpreterWebhookConfiguration,
} from '#karmada/apis/index.ts';
import type { KubeClient } from '#kube/client/kube-client.ts';
import type { KubeObject } from '#kube/meta/object.ts';
import type { Informer, Informers } from '#kube/runtime/index.ts';
import { chain } from './chain.ts';
import { customizedScripts, luaInterpreter, type ScriptRunner, scriptRunner } from './lua/index.ts';
import { nativeInterpreter } from './native-interpreter.ts';
import type { ResourceInterpreter } from './resource-interpreter.ts';
import { type FindService, hookClient, hooksOf, webhookInterpreter } from './webhook/index.ts';

/** Objects that stay as they are, or those of an informer. */
export type Source<T extends KubeObject> = readonly T[] | Pick<Informer<T>, 'list' | 'subscribe'>;

export interface InterpreterOptions {
  readonly customizations?: Source<ResourceInterpreterCustomization>;
  readonly webhooks?: Source<ResourceInterpreterWebhookConfiguration>;
  /** What others know about kinds that are not Kubernetes' own, in code or in scripts; asked after webhooks. */
  readonly thirdParty?: ResourceInterpreter | readonly ResourceInterpreterCustomization[];
  /** Finds Services that webhooks are reached through; without it their names are taken as the network's. */
  readonly findService?: FindService;
  readonly runner?: ScriptRunner;
  readonly clock?: Clock;
  readonly ids?: Ids;
}

export interface CustomizedInterpreter extends ResourceInterpreter {
  /** Ends threads and connections. */
  close(): void;
}

export function interpreterWith(options: InterpreterOptions): CustomizedInterpreter {
  const { customizations = [], webhooks = [], thirdParty = [], findService = nowhere, clock, ids } = options;
  const runner = options.runner ?? scriptRunner(clock ? { clock } : {});
  const client = hookClient({ findService, ...(clock ? { clock } : {}), ...(ids ? { ids } : {}) });
  const scripts = derived(customizations, customizedScripts);
  const hooks = derived(webhooks, (configurations) => {
    const current = hooksOf(configurations);
    client.keep(current);
    return current;
  });
  const layers = chain(
    luaInterpreter(scripts.current, runner.call),
    webhookInterpreter(hooks.current, client),
    'handles' in thirdParty ? thirdParty : ofScripts(thirdParty, runner),
    nativeInterpreter,
  );
  return {
    ...layers,
    close() {
      scripts.stop();
      hooks.stop();
      runner.close();
      client.close();
    },
  };
}

function ofScripts(customizations: readonly ResourceInterpreterCustomization[], runner: ScriptRunner) {
  const scripts = customizedScripts(customizations);
  return luaInterpreter(() => scripts, runner.call);
}

const nowhere: FindService = () => Promise.resolve(undefined);

/** Worked out anew when it is first asked for after a change. */
function derived<T extends KubeObject, U>(source: Source<T>, derive: (objects: readonly T[]) => U) {
  let known: { readonly value: U } | undefined;
  const objects = (): readonly T[] => ('list' in source ? source.list() : source);
  const stop = 'subscribe' in source ? source.subscribe(() => (known = undefined)) : () => {};
  return { current: () => (known ??= { value: derive(objects()) }).value, stop };
}

/** With `synced`, which resolves when every customisation and webhook there is has been seen: nobody should ask before. */
export function liveInterpreter(
  deps: Omit<InterpreterOptions, 'customizations' | 'webhooks' | 'findService'> & {
    readonly informers: Informers;
    readonly client: Pick<KubeClient, 'get'>;
  },
): CustomizedInterpreter & { readonly synced: Promise<void> } {
  const { informers, client, ...options } = deps;
  const customizations = informers<ResourceInterpreterCustomization>(RESOURCE_INTERPRETER_CUSTOMIZATION);
  const webhooks = informers<ResourceInterpreterWebhookConfiguration>(RESOURCE_INTERPRETER_WEBHOOK_CONFIGURATION);
  const interpreter = interpreterWith({ ...options, customizations, webhooks, findService: servicesOf(client) });
  const synced = Promise.all([customizations.synced, webhooks.synced]).then(() => undefined);
  // Whoever does not wait for it has no need to hear that it will never come.
  synced.catch(() => undefined);
  return { ...interpreter, synced };
}

const SERVICES = { group: '', version: 'v1', resource: 'services' };

function servicesOf(client: Pick<KubeClient, 'get'>): FindService {
  return async (namespace, name) => {
    try {
      return await client.get(SERVICES, { namespace, name });
    } catch (error) {
      if (hasReason(error, 'NotFound')) return undefined;
      throw error;
    }
  };
}
