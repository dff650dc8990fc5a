/** Which requests a webhook or a policy is asked about. */
import type { RuleWithOperations } from '#gen/kube/types.ts';
import { invalid, required } from '#kube/meta/field-error.ts';
import { oneOf } from '../checks.ts';
import type { Errors, Given } from '../kind.ts';

const OPERATIONS = ['*', 'CONNECT', 'CREATE', 'DELETE', 'UPDATE'];

export function* matchRule(rule: Given<RuleWithOperations>, path: string): Errors {
  const { operations = [], apiGroups = [], apiVersions = [], resources = [], scope } = rule;
  if (operations.length === 0) yield required(`${path}.operations`);
  yield* aloneIfAny(operations, `${path}.operations`, 'operations');
  for (const [at, operation] of operations.entries()) yield* oneOf(operation, OPERATIONS, `${path}.operations[${at}]`);
  if (apiGroups.length === 0) yield required(`${path}.apiGroups`);
  yield* aloneIfAny(apiGroups, `${path}.apiGroups`, 'API groups');
  if (apiVersions.length === 0) yield required(`${path}.apiVersions`);
  yield* aloneIfAny(apiVersions, `${path}.apiVersions`, 'API versions');
  for (const [at, version] of apiVersions.entries()) if (version === '') yield required(`${path}.apiVersions[${at}]`);
  yield* resourceRules(resources, `${path}.resources`);
  yield* oneOf(scope, ['*', 'Cluster', 'Namespaced'], `${path}.scope`);
}

function* aloneIfAny(values: readonly string[], path: string, what: string): Errors {
  if (values.length > 1 && values.includes('*')) {
    yield invalid(path, values, `if '*' is present, must not specify other ${what}`);
  }
}

function* resourceRules(resources: readonly string[], path: string): Errors {
  if (resources.length === 0) yield required(path);
  for (const [at, resource] of resources.entries()) {
    if (resource === '') yield required(`${path}[${at}]`);
    const [name, sub] = resource.split('/');
    const before = resources.slice(0, at);
    if (sub === undefined) continue;
    if (before.includes(`${name}/*`)) {
      yield invalid(`${path}[${at}]`, resource, `if '${name}/*' is present, must not specify ${resource}`);
    }
    if (before.includes(`*/${sub}`)) {
      yield invalid(`${path}[${at}]`, resource, `if '*/${sub}' is present, must not specify ${resource}`);
    }
  }
  if (resources.length > 1 && resources.includes('*/*')) {
    yield invalid(path, resources, "if '*/*' is present, must not specify other resources");
  }
  if (resources.includes('*') && resources.some((one) => one !== '*' && !one.includes('/'))) {
    yield invalid(path, resources, "if '*' is present, must not specify other resources without subresources");
  }
}
