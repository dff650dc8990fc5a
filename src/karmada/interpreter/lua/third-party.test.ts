/**
 * Karmada's own customisations of 27 third-party kinds, with the cases its authors test them by.
 *
 * They are read from a Go module cache where there is one (`go mod download github.com/karmada-io/karmada@v1.18.2`);
 * without, the suite says that it was skipped.
 */
import assert from 'node:assert/strict';
import { existsSync, globSync, readFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { dirname, join, relative } from 'node:path';
import { describe, it } from 'node:test';
import { isObject } from '#base/json.ts';
import type { AggregatedStatusItem, ResourceInterpreterCustomization } from '#karmada/apis/index.ts';
import type { KubeObject } from '#kube/meta/object.ts';
import { parseAllDocuments } from 'yaml';
import { decodeComponents, decodeDependencies, decodeRequirements } from '../decode-answers.ts';
import { operationNamed } from '../operations.ts';
import { interpret, type NamedResult } from './interpret.ts';
import { distinct } from './lua-interpreter.ts';

const MODULES =
  process.env['GOMODCACHE'] ?? join(process.env['GOPATH']?.split(':')[0] ?? join(homedir(), 'go'), 'pkg', 'mod');
const ROOT = join(
  MODULES,
  'github.com/karmada-io/karmada@v1.18.2/pkg/resourceinterpreter/default/thirdparty/resourcecustomizations',
);

interface Case {
  readonly name: string;
  readonly operation: string;
  readonly desiredObj?: KubeObject;
  readonly observedObj?: KubeObject;
  readonly statusItems?: readonly AggregatedStatusItem[];
  readonly inputReplicas?: number;
  readonly output?: Readonly<Record<string, unknown>>;
}

function documents(file: string): readonly unknown[] {
  // Go's parser takes text that goes on in the column of its key; YAML 1.2 wants it deeper.
  const text = readFileSync(file, 'utf8').replaceAll(/^( +)(\S+: '.*[^'\n]''?)\n\1(?=[^-\s])/gm, '$1$2\n$1  ');
  return parseAllDocuments(text).flatMap((document) => document.toJS() ?? []);
}

/** Expected values as Karmada's types would hold them, so that `1` and `"1"` of cpu are the same. */
const AS_TYPED: Readonly<Record<string, (value: unknown) => unknown>> = {
  requires: (value) => (isObject(value) ? decodeRequirements(value) : undefined),
  components: (value) => decodeComponents(value).toSorted((a, b) => (a.name < b.name ? -1 : 1)),
  dependencies: (value) => distinct(decodeDependencies(value)),
};

/** Fields whose value the authors left open. */
const EXCLUDED = '{{EXCLUDE}}';

/** `actual` without what `expected` leaves open. */
function comparable(expected: unknown, actual: unknown): unknown {
  if (Array.isArray(expected) && Array.isArray(actual)) {
    return actual.map((item, index) => comparable(expected[index], item));
  }
  if (!isObject(expected) || !isObject(actual)) return actual;
  const entries = Object.entries(actual).filter(([key]) => expected[key] !== EXCLUDED);
  return Object.fromEntries(entries.map(([key, value]) => [key, comparable(expected[key], value)]));
}

function withoutExcluded(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutExcluded);
  if (!isObject(value)) return value;
  const entries = Object.entries(value).filter(([, member]) => member !== EXCLUDED);
  return Object.fromEntries(entries.map(([key, member]) => [key, withoutExcluded(member)]));
}

async function check(customizations: readonly ResourceInterpreterCustomization[], given: Case): Promise<void> {
  const { desiredObj, observedObj, statusItems, inputReplicas, output = {} } = given;
  const operation = operationNamed(given.operation);
  assert.ok(operation, `${given.operation} is an operation`);
  const outcome = await interpret(customizations, {
    operation,
    ...(desiredObj ? { desired: desiredObj } : {}),
    ...(observedObj ? { observed: observedObj } : {}),
    ...(statusItems ? { items: statusItems } : {}),
    replicas: inputReplicas ?? 0,
  });
  assert.ok('results' in outcome, 'error' in outcome ? outcome.error.message : '');
  for (const [name, value] of Object.entries(output)) {
    const result: NamedResult | undefined = outcome.results.find((one) => one.name === name);
    assert.ok(result, `${name} is among the results`);
    const typed = AS_TYPED[name] ?? ((untyped: unknown) => untyped);
    assert.deepEqual(typed(comparable(value, result.value)), typed(withoutExcluded(value)) ?? undefined);
  }
}

describe('third-party customisations of Karmada', { skip: existsSync(ROOT) ? false : `no ${ROOT}` }, () => {
  for (const file of globSync('**/customizations.yaml', { cwd: ROOT }).sort()) {
    const directory = dirname(join(ROOT, file));
    const customizations = documents(join(ROOT, file)) as readonly ResourceInterpreterCustomization[];
    it(`${relative(ROOT, directory)} answers as its authors expect`, async () => {
      for (const cases of globSync('testdata/*.yaml', { cwd: directory }).sort()) {
        for (const given of documents(join(directory, cases)) as readonly Case[]) {
          try {
            await check(customizations, given);
          } catch (error) {
            throw new Error(`${cases}: ${given.name}`, { cause: error });
          }
        }
      }
    });
  }
});
