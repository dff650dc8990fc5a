/**
 * `placement.kairship.io/v1alpha1` interpretations: customisations of the interpreter asked one question, before anything
 * depends on them. They are created and never stored; that a script does not work is an answer, not a failure.
 *
 * Only what was sent is looked at, and nothing is written. Scripts run within the engine's own limits; one that takes long
 * does so on a thread of its own.
 */
import { type Clock, systemClock } from '#base/clock.ts';
import { isObject } from '#base/json.ts';
import { badRequest } from '#base/status-error.ts';
import type { AggregatedStatusItem, ResourceInterpreterCustomization } from '#karmada/apis/index.ts';
import {
  checkScripts,
  interpret,
  type InterpretOutcome,
  OPERATIONS,
  operationNamed,
  type ScriptProblem,
  type ScriptRunner,
  scriptRunner,
} from '#karmada/interpreter/index.ts';
import type { ApiExtension } from '#kube/apiserver/index.ts';
import type { KubeObject } from '#kube/meta/object.ts';
import { PLACEMENT } from './placement-group.ts';
import { INTERPRETATION_SCHEMA } from './placement-schemas.ts';
import { virtualResource } from './virtual-resource.ts';

export function interpretationsApi(clock: Clock = systemClock, runner = scriptRunner({ clock })): ApiExtension {
  return virtualResource({
    ...PLACEMENT,
    resource: 'interpretations',
    singular: 'interpretation',
    kind: 'Interpretation',
    namespaced: false,
    columns: [],
    schema: INTERPRETATION_SCHEMA,
    now: () => clock.now(),
    create: async (body) => {
      const given = objectOf('body', body);
      return { ...given, status: await interpretation(given['spec'], runner) };
    },
  });
}

type ReportedProblem = Pick<ScriptProblem, 'message' | 'customization' | 'line'>;

export interface InterpretationStatus {
  readonly results?: readonly { readonly name: string; readonly value: unknown }[];
  readonly printed?: readonly string[];
  readonly problem?: ReportedProblem;
}

/** Throws `BadRequest` for what cannot be asked. */
export async function interpretation(
  spec: unknown,
  { call }: Pick<ScriptRunner, 'call'>,
): Promise<InterpretationStatus> {
  if (!isObject(spec)) throw badRequest('spec: customizations are needed');
  const { operation: word = '', desired, observed, replicas, items } = spec;
  const customizations = listOf(spec['customizations']).map(customizationOf);
  if (customizations.length === 0) throw badRequest('spec.customizations: give at least one to try');
  const [unreadable] = customizations.flatMap((each) => checkScripts(each));
  if (unreadable) return { problem: problemOf(unreadable) };
  if (word === '') return {};
  const operation = operationNamed(String(word));
  if (!operation) throw badRequest(`spec.operation: "${String(word)}" is none of ${OPERATIONS.join(', ')}`);
  const outcome = await interpret(
    customizations,
    {
      operation,
      ...(desired ? { desired: objectOf('spec.desired', desired) } : {}),
      ...(observed ? { observed: objectOf('spec.observed', observed) } : {}),
      ...(typeof replicas === 'number' ? { replicas } : {}),
      ...(Array.isArray(items) ? { items: items as readonly AggregatedStatusItem[] } : {}),
    },
    { call },
  );
  return statusOf(outcome);
}

function statusOf(outcome: InterpretOutcome): InterpretationStatus {
  const { printed } = outcome;
  return 'error' in outcome
    ? { problem: problemOf(outcome.error), printed }
    : { results: outcome.results.map(({ name, value }) => ({ name, value: value ?? null })), printed };
}

function problemOf({ message, customization, line }: ScriptProblem): ReportedProblem {
  return { message, ...(customization ? { customization } : {}), ...(line === undefined ? {} : { line }) };
}

const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);

function customizationOf(given: unknown): ResourceInterpreterCustomization {
  const field = 'spec.customizations';
  const object = objectOf(field, given);
  if (object.kind !== 'ResourceInterpreterCustomization')
    throw badRequest(`${field}: a ${object.kind} is no ResourceInterpreterCustomization`);
  const { spec } = object as { readonly spec?: unknown };
  if (!isObject(spec) || !isObject(spec['target']) || !isObject(spec['customizations']))
    throw badRequest(`${field}: spec.target and spec.customizations are needed`);
  return object as ResourceInterpreterCustomization;
}

function objectOf(field: string, given: unknown): KubeObject {
  if (!isObject(given) || typeof given['apiVersion'] !== 'string' || typeof given['kind'] !== 'string')
    throw badRequest(`${field}: apiVersion and kind are needed`);
  return { metadata: { name: '' }, ...given } as unknown as KubeObject;
}
