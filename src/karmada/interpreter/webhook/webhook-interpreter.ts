/** The layer of webhooks: every operation is asked of the first hook whose rules name it. */
import { jsonEqual } from '#base/json.ts';
import { StatusError } from '#base/status-error.ts';
import { gvkOf } from '#kube/meta/gvk.ts';
import type { Answers, Question } from '../operations.ts';
import type { Operation, ResourceInterpreter } from '../resource-interpreter.ts';
import type { HookClient } from './hook-client.ts';
import { type Hook, hookFor } from './hooks.ts';

/** `hooks` is asked each time: what it gives may change under a running engine. */
export function webhookInterpreter(hooks: () => readonly Hook[], client: Pick<HookClient, 'ask'>): ResourceInterpreter {
  async function ask<O extends Operation>(operation: O, question: Question): Promise<Answers[O]> {
    const kind = gvkOf(question.object);
    const hook = hookFor(hooks(), kind, operation);
    if (hook) return client.ask(hook, operation, question);
    throw new StatusError(
      'NotImplemented',
      `no webhook has ${operation} for ${question.object.apiVersion} ${kind.kind}`,
    );
  }

  return {
    handles: (kind, operation) => hookFor(hooks(), kind, operation) !== undefined,
    replicas: (object) => ask('InterpretReplica', { object }),
    components: (object) => ask('InterpretComponent', { object }),
    reviseReplica: (object, replicas) => ask('ReviseReplica', { object, replicas }),
    retain: (object, observed) => ask('Retain', { object, observed }),
    async aggregateStatus(object, items) {
      const aggregated = await ask('AggregateStatus', { object, items });
      return jsonEqual(object, aggregated) ? object : aggregated;
    },
    reflectStatus: (object) => ask('InterpretStatus', { object }),
    health: async (object) => ((await ask('InterpretHealth', { object })) ? 'Healthy' : 'Unhealthy'),
    dependencies: (object) => ask('InterpretDependency', { object }),
  };
}
