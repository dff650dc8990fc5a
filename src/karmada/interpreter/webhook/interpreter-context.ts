/** ResourceInterpreterContext: what a webhook is sent, and what may come back. */
import { isObject } from '#base/json.ts';
import { badRequest } from '#base/status-error.ts';
import { gvkOf } from '#kube/meta/gvk.ts';
import type { KubeObject } from '#kube/meta/object.ts';
import { applyJsonPatch } from '#kube/patch/index.ts';
import {
  decodeComponents,
  decodeDependencies,
  decodeHealth,
  decodeObject,
  decodeReplicas,
  decodeRequirements,
  decodeStatus,
} from '../decode-answers.ts';
import type { Answers, Question } from '../operations.ts';
import type { Operation } from '../resource-interpreter.ts';

export const CONTEXT_VERSION = 'v1alpha1';
const CONTEXT = { apiVersion: `config.karmada.io/${CONTEXT_VERSION}`, kind: 'ResourceInterpreterContext' } as const;

export function contextOf(uid: string, operation: Operation, question: Question): Readonly<Record<string, unknown>> {
  const { object, observed, replicas = 0, items } = question;
  const { name, namespace } = object.metadata;
  const request = {
    uid,
    kind: gvkOf(object),
    name,
    ...(namespace === undefined ? {} : { namespace }),
    operation,
    object,
    ...(observed ? { observedObject: observed } : {}),
    // Karmada sends it whatever the operation, and 0 where it means nothing.
    replicas,
    ...(items?.length ? { aggregatedStatus: items } : {}),
  };
  return { ...CONTEXT, request };
}

type Response = Readonly<Record<string, unknown>>;

/** The answer in a response; throws when it is none, or says that the webhook could not give one. */
export function answerOf<O extends Operation>(
  uid: string,
  operation: O,
  question: Question,
  body: unknown,
): Answers[O] {
  const response = isObject(body) ? body['response'] : undefined;
  if (!isObject(response)) throw badRequest('received invalid webhook response: webhook response was absent');
  try {
    return accepted(uid, operation, question, response);
  } catch (error) {
    if (error instanceof WebhookFailure) throw error;
    const problem = error instanceof Error ? error.message : String(error);
    throw badRequest(`received invalid webhook response: ${problem}`);
  }
}

/** The webhook itself says that it failed. */
class WebhookFailure extends Error {
  override readonly name = 'WebhookFailure';
}

function accepted<O extends Operation>(uid: string, operation: O, question: Question, response: Response): Answers[O] {
  if (response['uid'] !== uid) {
    throw badRequest(`expected response.uid ${JSON.stringify(uid)}, got ${JSON.stringify(response['uid'] ?? '')}`);
  }
  if (response['successful'] === true) return DECODERS[operation](response, question);
  const { status } = response;
  if (!isObject(status)) throw badRequest('webhook require response.status when response.successful is false');
  const { code = 0, message = '' } = status;
  throw new WebhookFailure(`webhook call failed, get status code: ${String(code)}, msg: ${String(message)}`);
}

const DECODERS: { readonly [O in Operation]: (response: Response, question: Question) => Answers[O] } = {
  InterpretReplica(response) {
    const { replicas, replicaRequirements } = response;
    if (isAbsent(replicas)) throw badRequest('webhook returned nil response.replicas');
    return {
      replicas: decodeReplicas(replicas),
      ...(isAbsent(replicaRequirements) ? {} : { requirements: decodeRequirements(replicaRequirements) }),
    };
  },
  InterpretComponent: ({ components }) => decodeComponents(components),
  InterpretDependency: ({ dependencies }) => decodeDependencies(dependencies),
  InterpretStatus({ rawStatus }) {
    if (isAbsent(rawStatus)) throw badRequest('webhook returned nil response.rawStatus');
    return decodeStatus(rawStatus);
  },
  InterpretHealth({ healthy }) {
    if (isAbsent(healthy)) throw badRequest('webhook returned nil response.healthy');
    return decodeHealth(healthy);
  },
  ReviseReplica: patched,
  Retain: patched,
  AggregateStatus: patched,
};

/** The object with the patch applied; a response without one leaves it as it is. */
function patched({ patch, patchType }: Response, { object }: Question): KubeObject {
  const empty = isAbsent(patch) || patch === '';
  if (empty && isAbsent(patchType)) return object;
  if (isAbsent(patchType)) throw badRequest('webhook returned nil response.patchType');
  if (empty) throw badRequest('webhook returned empty response.patch');
  if (patchType !== 'JSONPatch') {
    throw badRequest(`webhook returned invalid response.patchType of ${JSON.stringify(patchType)}`);
  }
  const operations = decodePatch(patch);
  return operations.length === 0 ? object : decodeObject(applyJsonPatch(object, operations));
}

function decodePatch(patch: unknown): readonly unknown[] {
  if (typeof patch !== 'string') throw badRequest('response.patch is not a base64 string');
  try {
    const operations: unknown = JSON.parse(Buffer.from(patch, 'base64').toString('utf8'));
    if (Array.isArray(operations)) return operations;
  } catch {
    // Falls through to the complaint: a parser's words about base64 help nobody.
  }
  throw badRequest('response.patch is not a base64 encoded JSON patch');
}

function isAbsent(value: unknown): value is null | undefined {
  return value === undefined || value === null;
}
