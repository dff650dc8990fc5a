import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type {
  Customizations,
  ResourceInterpreterCustomization,
  ResourceInterpreterWebhook,
} from '#karmada/apis/index.ts';
import { customizationProblem, webhookConfigurationErrors } from './interpreter-rules.ts';

const API_VERSION = 'config.karmada.io/v1alpha1';
const RETAIN = { retention: { luaScript: 'function Retain(desired, observed) return desired end' } };

function customization(
  name: string,
  customizations: Customizations,
  kind = 'Workload',
): ResourceInterpreterCustomization {
  return {
    apiVersion: API_VERSION,
    kind: 'ResourceInterpreterCustomization',
    metadata: { name },
    spec: { target: { apiVersion: 'example.io/v1', kind }, customizations },
  };
}

describe('a customisation', () => {
  const dependencies = { dependencyInterpretation: { luaScript: 'function GetDependencies(o) return {} end' } };
  const cases: [
    because: string,
    customizations: Customizations,
    all: ResourceInterpreterCustomization[],
    problem?: string,
  ][] = [
    ['may be the only one', RETAIN, []],
    ['may be written again', RETAIN, [customization('new', RETAIN)]],
    ['may be about another kind', RETAIN, [customization('old', RETAIN, 'Other')]],
    ['may have another operation of the same kind', RETAIN, [customization('old', dependencies)]],
    ['may tell more dependencies', dependencies, [customization('old', dependencies)]],
    ['may stand beside an empty script', RETAIN, [customization('old', { retention: { luaScript: '' } })]],
    [
      'does not contradict another',
      RETAIN,
      [customization('old', RETAIN)],
      'conflicting with InterpreterOperation(Retain) of existing ResourceInterpreterCustomization(old)',
    ],
    [
      'is Lua',
      { ...RETAIN, healthInterpretation: { luaScript: 'function InterpretHealth(o)\n  return true\n' } },
      [],
      "InterpreterOperation(InterpretHealth) Lua script error: line 3: 'end' expected (to close 'function' at line 1) near 'end of script'",
    ],
  ];
  for (const [because, customizations, all, problem] of cases) {
    it(because, () => assert.equal(customizationProblem(customization('new', customizations), all), problem));
  }
});

describe('a webhook configuration', () => {
  const rule = { operations: ['InterpretReplica'], apiGroups: ['apps'], apiVersions: ['v1'], kinds: ['Deployment'] };
  const good: ResourceInterpreterWebhook = {
    name: 'workloads.example.com',
    clientConfig: { url: 'https://example.com/interpret' },
    rules: [rule],
    interpreterContextVersions: ['v1alpha1'],
  };
  const errors = (...webhooks: readonly ResourceInterpreterWebhook[]) =>
    webhookConfigurationErrors({
      apiVersion: API_VERSION,
      kind: 'ResourceInterpreterWebhookConfiguration',
      metadata: { name: 'config' },
      webhooks,
    }).map(({ field, message }) => `${field}: ${message}`);

  const service = { namespace: 'default', name: 'hook' };
  const cases: [because: string, changes: Partial<ResourceInterpreterWebhook>, wanted: readonly string[]][] = [
    ['may use a URL', {}, []],
    ['may use a Service, of which 443 is the usual port', { clientConfig: { service } }, []],
    ['may name the core group', { rules: [{ ...rule, apiGroups: [''] }] }, []],
    [
      'uses one of the two',
      { clientConfig: { url: 'https://example.com', service } },
      ['webhooks[0].clientConfig: Required value: exactly one of url or service is required'],
    ],
    [
      'uses https',
      { clientConfig: { url: 'http://example.com' } },
      [
        'webhooks[0].clientConfig.url: Invalid value: "http": \'https\' is the only allowed URL scheme; desired format: https://host[/path]',
      ],
    ],
    [
      'names a port there can be',
      { clientConfig: { service: { ...service, port: 70_000 } } },
      [
        'webhooks[0].clientConfig.service.port: Invalid value: 70000: port is not valid: must be between 1 and 65535, inclusive',
      ],
    ],
    [
      'has names of at least two parts',
      { name: 'workloads' },
      ['webhooks[0].name: Invalid value: "workloads": should be a domain with at least two segments separated by dots'],
    ],
    ['has names', { name: '' }, ['webhooks[0].name: Required value']],
    [
      'waits between 1 and 30 seconds',
      { timeoutSeconds: 31 },
      ['webhooks[0].timeoutSeconds: Invalid value: 31: the timeout value must be between 1 and 30 seconds'],
    ],
    [
      'speaks a version of ours',
      { interpreterContextVersions: ['v9'] },
      ['webhooks[0].interpreterContextVersions: Invalid value: ["v9"]: must include at least one of v1alpha1'],
    ],
    [
      'says which versions it speaks',
      { interpreterContextVersions: [] },
      ['webhooks[0].interpreterContextVersions: Required value: must specify one of v1alpha1'],
    ],
    [
      'has operations there are',
      { rules: [{ ...rule, operations: ['Prune'] }] },
      [
        'webhooks[0].rules[0].operations[0]: Unsupported value: "Prune": supported values: "*", "AggregateStatus", "InterpretComponent", "InterpretDependency", "InterpretHealth", "InterpretReplica", "InterpretStatus", "Retain", "ReviseReplica"',
      ],
    ],
    [
      'says "all" alone',
      { rules: [{ ...rule, kinds: ['*', 'Pod'] }] },
      ['webhooks[0].rules[0].kinds: Invalid value: ["*","Pod"]: if \'*\' is present, must not specify other kinds'],
    ],
    [
      'says what each rule is about',
      { rules: [{ operations: [], apiGroups: [], apiVersions: [''], kinds: [] }] },
      [
        'webhooks[0].rules[0].operations: Required value',
        'webhooks[0].rules[0].apiGroups: Required value',
        'webhooks[0].rules[0].apiVersions[0]: Required value',
        'webhooks[0].rules[0].kinds: Required value',
      ],
    ],
  ];
  for (const [because, changes, wanted] of cases) {
    it(because, () => assert.deepEqual(errors({ ...good, ...changes }), wanted));
  }

  it('has each name once', () =>
    assert.deepEqual(errors(good, good), ['webhooks[1].name: Duplicate value: "workloads.example.com"']));
});
