import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Customizations, ResourceInterpreterCustomization } from '#karmada/apis/index.ts';
import { SCRIPT_FIELDS } from '../operations.ts';
import type { Operation } from '../resource-interpreter.ts';
import { object, statuses } from '../testing.ts';
import { customizedScripts } from './customized-scripts.ts';
import { checkScripts, type Interpretation, interpret } from './interpret.ts';
import { DEFAULT_LIMITS } from './language/index.ts';
import { luaInterpreter } from './lua-interpreter.ts';
import { runScript } from './run-script.ts';

const KIND = { group: 'example.io', version: 'v1', kind: 'Workload' };

function customization(name: string, scripts: Partial<Record<Operation, string>>): ResourceInterpreterCustomization {
  const customizations = Object.entries(scripts).map(([operation, luaScript]) => [
    SCRIPT_FIELDS[operation as Operation],
    { luaScript },
  ]);
  return {
    apiVersion: 'config.karmada.io/v1alpha1',
    kind: 'ResourceInterpreterCustomization',
    metadata: { name },
    spec: {
      target: { apiVersion: 'example.io/v1', kind: 'Workload' },
      customizations: Object.fromEntries(customizations) as Customizations,
    },
  };
}

function interpreter(...customizations: readonly ResourceInterpreterCustomization[]) {
  const scripts = customizedScripts(customizations);
  return luaInterpreter(
    () => scripts,
    (call) => runScript(call),
  );
}

const template = {
  nodeSelector: { disk: 'ssd' },
  containers: [{ name: 'c', resources: { requests: { cpu: '500m' } } }],
  volumes: [{ name: 'v', emptyDir: {} }],
};
const workload = object('example.io/v1', 'Workload', {
  spec: { replicas: 2, template: { spec: template } },
  status: { ready: 1 },
});

describe('scripts', () => {
  const replicas = `
    local kube = require("kube")
    function GetReplicas(obj)
      return obj.spec.replicas, kube.accuratePodRequirements(obj.spec.template)
    end`;

  it('tell replicas and what each needs', () =>
    assert.deepEqual(interpreter(customization('a', { InterpretReplica: replicas })).replicas(workload), {
      replicas: 2,
      requirements: { nodeClaim: { nodeSelector: { disk: 'ssd' } }, resourceRequest: { cpu: '500m' } },
    }));

  it('may tell replicas alone, and halves are cut off', () => {
    const half = interpreter(customization('a', { InterpretReplica: 'function GetReplicas(o) return 5 / 2 end' }));
    assert.deepEqual(half.replicas(workload), { replicas: 2 });
  });

  it('revise the template and leave the rest, empty objects too', () => {
    const revise = 'function ReviseReplica(obj, n) obj.spec.replicas = n return obj end';
    const revised = interpreter(customization('a', { ReviseReplica: revise })).reviseReplica(workload, 5);
    assert.deepEqual(revised, { ...workload, spec: { replicas: 5, template: { spec: template } } });
    assert.equal((workload['spec'] as { replicas: number }).replicas, 2);
  });

  it('retain what belongs to the member', () => {
    const retain =
      'function Retain(desired, observed) desired.spec.replicas = observed.spec.replicas return desired end';
    const observed = { ...workload, spec: { replicas: 9 } };
    const retained = interpreter(customization('a', { Retain: retain })).retain(workload, observed);
    assert.deepEqual(retained, { ...workload, spec: { replicas: 9, template: { spec: template } } });
  });

  const sum = `
    function AggregateStatus(obj, items)
      if items == nil then return obj end
      local ready = 0
      for i = 1, #items do ready = ready + items[i].status.ready end
      obj.status = { ready = ready }
      return obj
    end`;

  it('aggregate statuses, and nothing but statuses', () => {
    const aggregating = interpreter(customization('a', { AggregateStatus: sum }));
    assert.deepEqual(aggregating.aggregateStatus(workload, statuses({ ready: 2 }, { ready: 3 })), {
      ...workload,
      status: { ready: 5 },
    });
    assert.equal(aggregating.aggregateStatus(workload, statuses({ ready: 1 })), workload);
    assert.equal(aggregating.aggregateStatus(workload, []), workload);
  });

  it('tell health, status and components', () => {
    const told = interpreter(
      customization('a', {
        InterpretHealth: 'function InterpretHealth(o) return o.status.ready == o.spec.replicas end',
        InterpretStatus: 'function ReflectStatus(o) return { ready = o.status.ready, nothing = {} } end',
        InterpretComponent:
          'function GetComponents(o) return {{ name = "x", replicas = 1, replicaRequirements = { resourceRequest = { cpu = 2 } } }} end',
      }),
    );
    assert.equal(told.health(workload), 'Unhealthy');
    assert.deepEqual(told.reflectStatus(workload), { ready: 1 });
    assert.deepEqual(told.components(workload), [
      { name: 'x', replicas: 1, replicaRequirements: { resourceRequest: { cpu: '2' } } },
    ]);
  });

  it('tell dependencies, those of every customisation, each once and in order', () => {
    const depends = (...names: readonly string[]) => {
      const items = names.map(
        (name) => `{ apiVersion = "v1", kind = "Secret", namespace = "default", name = "${name}" }`,
      );
      return `function GetDependencies(o) return { ${items.join(', ')} } end`;
    };
    const told = interpreter(
      customization('b', { InterpretDependency: depends('z', 'a') }),
      customization('a', { InterpretDependency: depends('a', 'm') }),
    );
    assert.deepEqual(
      ['a', 'm', 'z'].map((name) => ({ apiVersion: 'v1', kind: 'Secret', namespace: 'default', name })),
      told.dependencies(workload),
    );
  });

  it('find what pods depend on', () => {
    const source =
      'local kube = require("kube") function GetDependencies(o) return kube.getPodDependencies(o.spec.template, o.metadata.namespace) end';
    const spec = { serviceAccountName: 'sa', volumes: [{ name: 'v', configMap: { name: 'settings' } }] };
    const told = interpreter(customization('a', { InterpretDependency: source }));
    assert.deepEqual(told.dependencies(object('example.io/v1', 'Workload', { spec: { template: { spec } } })), [
      { apiVersion: 'v1', kind: 'ConfigMap', namespace: 'default', name: 'settings' },
      { apiVersion: 'v1', kind: 'ServiceAccount', namespace: 'default', name: 'sa' },
    ]);
  });

  it('of the first customisation by name count', () => {
    const returning = (n: number) => ({ InterpretReplica: `function GetReplicas(o) return ${n} end` });
    const both = interpreter(
      customization('b', returning(2)),
      customization('a', returning(1)),
      customization('0', { InterpretReplica: '' }),
    );
    assert.deepEqual(both.replicas(workload), { replicas: 1 });
  });

  it('see nothing of what other runs left behind', () => {
    const counting = interpreter(
      customization('a', {
        InterpretReplica:
          'count = (count or 0) + 1 function GetReplicas(o) string.x = (string.x or 0) + 1 return count + string.x end',
      }),
    );
    assert.deepEqual(counting.replicas(workload), { replicas: 2 });
    assert.deepEqual(counting.replicas(workload), { replicas: 2 });
  });

  it('answer only for the kind and operation they are for', () => {
    const health = interpreter(customization('a', { InterpretHealth: 'x = 1' }));
    assert.equal(health.handles(KIND, 'InterpretHealth'), true);
    assert.equal(health.handles(KIND, 'Retain'), false);
    assert.equal(health.handles({ ...KIND, version: 'v2' }, 'InterpretHealth'), false);
    assert.throws(() => health.replicas(workload), { reason: 'NotImplemented' });
  });

  const failures: [
    because: string,
    scripts: Partial<Record<Operation, string>>,
    ask: (asked: ReturnType<typeof interpreter>) => unknown,
    message: string,
  ][] = [
    [
      'at a line',
      { InterpretReplica: 'function GetReplicas(o)\n  return o.spec.missing.deep\nend' },
      (asked) => asked.replicas(workload),
      "ResourceInterpreterCustomization mine, InterpretReplica, line 2: attempt to index a nil value (field 'missing')",
    ],
    [
      'without the function',
      { InterpretHealth: 'function Health(o) return true end' },
      (asked) => asked.health(workload),
      'ResourceInterpreterCustomization mine, InterpretHealth: not found function InterpretHealth',
    ],
    [
      'with an answer of the wrong type',
      { InterpretHealth: 'function InterpretHealth(o) return "yes" end' },
      (asked) => asked.health(workload),
      'ResourceInterpreterCustomization mine, InterpretHealth: healthy: expected a boolean but got a string',
    ],
    [
      'without an object',
      { Retain: 'function Retain(d, o) end' },
      (asked) => asked.retain(workload, workload),
      'ResourceInterpreterCustomization mine, Retain: object: expected an object but got nothing',
    ],
    [
      'with a dependency nobody could find',
      { InterpretDependency: 'function GetDependencies(o) return {{ apiVersion = "v1", kind = "Secret" }} end' },
      (asked) => asked.dependencies(workload),
      'ResourceInterpreterCustomization mine, InterpretDependency: dependencies[0]: Invalid value: {"apiVersion":"v1","kind":"Secret"}: dependency can not leave name and labelSelector all empty',
    ],
    [
      'with a quantity that is none',
      { InterpretReplica: 'function GetReplicas(o) return 1, { resourceRequest = { cpu = "much" } } end' },
      (asked) => asked.replicas(workload),
      'ResourceInterpreterCustomization mine, InterpretReplica: replicaRequirements.resourceRequest.cpu: expected a quantity but got a string',
    ],
  ];
  for (const [because, scripts, ask, message] of failures) {
    it(`fail ${because}`, () =>
      assert.throws(() => ask(interpreter(customization('mine', scripts))), { reason: 'InternalError', message }));
  }
});

describe('interpret', () => {
  it('names results as Karmada does, and keeps what was printed', async () => {
    const source =
      'function GetReplicas(o)\n  print("replicas", o.spec.replicas)\n  return o.spec.replicas, { namespace = "x" }\nend';
    assert.deepEqual(
      await interpret([customization('a', { InterpretReplica: source })], {
        operation: 'InterpretReplica',
        desired: workload,
      }),
      {
        results: [
          { name: 'replica', value: 2 },
          { name: 'requires', value: { namespace: 'x' } },
        ],
        printed: ['replicas\t2'],
      },
    );
  });

  it('tells the line of a mistake, and what was printed before it', async () => {
    const source = 'function InterpretHealth(o)\n  print("here")\n  return o.x.y\nend';
    const problem = "attempt to index a nil value (field 'x')";
    assert.deepEqual(
      await interpret([customization('a', { InterpretHealth: source })], {
        operation: 'InterpretHealth',
        observed: workload,
      }),
      {
        error: {
          message: `ResourceInterpreterCustomization a, InterpretHealth, line 3: ${problem}`,
          problem,
          customization: 'a',
          operation: 'InterpretHealth',
          line: 3,
        },
        printed: ['here'],
      },
    );
  });

  it('leaves slow scripts to a runner, and ends those that do not end', async () => {
    let now = 0;
    const source = 'function InterpretHealth(o)\n  while true do end\nend';
    const world = { now: () => now++, date: () => 0, random: () => 0, print: () => undefined };
    const outcome = await interpret(
      [customization('a', { InterpretHealth: source })],
      { operation: 'InterpretHealth', observed: workload },
      { call: (call) => runScript(call, DEFAULT_LIMITS, world) },
    );
    assert.ok('error' in outcome);
    assert.equal(outcome.error.line, 2);
    assert.equal(outcome.error.problem, 'did not end within 1000 ms');
  });

  const incomplete: [because: string, asked: Interpretation, problem: string][] = [
    ['an object', { operation: 'InterpretHealth' }, 'InterpretHealth needs an object'],
    [
      'one object',
      { operation: 'InterpretHealth', desired: workload, observed: workload },
      'InterpretHealth is about one object, not two',
    ],
    ['both objects', { operation: 'Retain', desired: workload }, 'Retain needs the desired and the observed object'],
    [
      'a script',
      { operation: 'InterpretHealth', desired: workload },
      'no customization has InterpretHealth for example.io/v1 Workload',
    ],
  ];
  for (const [because, asked, problem] of incomplete) {
    it(`needs ${because}`, async () => {
      const outcome = await interpret([], asked);
      assert.equal('error' in outcome ? outcome.error.problem : undefined, problem);
    });
  }

  it('finds every script that is no Lua before any is run', () => {
    const broken = customization('a', {
      Retain: 'function Retain(',
      InterpretHealth: 'function InterpretHealth() end',
      ReviseReplica: '\nx x',
    });
    assert.deepEqual(
      checkScripts(broken).map(({ operation, line }) => [operation, line]),
      [
        ['Retain', 1],
        ['ReviseReplica', 2],
      ],
    );
  });
});
