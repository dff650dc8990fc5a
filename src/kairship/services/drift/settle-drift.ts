/**
 * Carries out verdicts on drifted fields, each where it belongs, and answers what was written.
 *
 * Rules and overrides come first: once they are there the engine leaves alone what they say, and only then is anything
 * put back. A rehearsal is judged by the same servers and changes nothing.
 */
import { hasReason } from '#base/status-error.ts';
import { type AnyOverridePolicy, LABELS, RESOURCE_INTERPRETER_CUSTOMIZATION } from '#karmada/apis/index.ts';
import type { JsonPatchOperation, KubeClient } from '#kube/client/kube-client.ts';
import type { Gvr } from '#kube/meta/gvk.ts';
import type { KubeObject } from '#kube/meta/object.ts';
import type { FieldDifference } from './field-drift.ts';
import { ruleKeeping } from './kept-fields.ts';
import type { Looked } from './looked.ts';
import { overrideFor, overrideKind, overrideName } from './override-for.ts';

export interface Verdicts {
  readonly putBack: readonly FieldDifference[];
  readonly keep: readonly FieldDifference[];
  readonly override: readonly FieldDifference[];
}

export interface Hands {
  readonly control: KubeClient;
  readonly member: KubeClient;
  readonly dryRun: boolean;
}

export async function settle(hands: Hands, looked: Looked, verdicts: Verdicts): Promise<readonly KubeObject[]> {
  const { control, member, dryRun } = hands;
  const options = { fieldManager: 'kairship', dryRun };
  const { manifest, cluster } = looked.sent;
  const { namespace, name } = manifest.metadata;
  const at = { name, ...(namespace ? { namespace } : {}) };
  const written: KubeObject[] = [];

  if (verdicts.override.length > 0) {
    const kind = overrideKind(manifest);
    const key = { ...at, name: overrideName(manifest) };
    const known = await control.get<AnyOverridePolicy>(kind, key).catch(absent);
    written.push(await put(control, kind, overrideFor(manifest, cluster, verdicts.override, known), options));
  }
  const [replicas, others] = partition(
    verdicts.keep,
    ({ path }) => manifest.kind === 'Deployment' && path === '/spec/replicas',
  );
  if (replicas.length > 0) {
    const body = { metadata: { labels: { [LABELS.retainReplicas]: 'true' } } };
    written.push(await control.patch(looked.gvr, at, { type: 'merge', body }, options));
  }
  if (others.length > 0) {
    const fields = others.map(({ path }) => ({ namespace: namespace ?? '', name, path }));
    // Read anew: the copy in the index may be a moment old, and would be refused.
    const { items } = await control.list(RESOURCE_INTERPRETER_CUSTOMIZATION);
    const rule = ruleKeeping(manifest, fields, items as unknown as Looked['rules']);
    written.push(await put(control, RESOURCE_INTERPRETER_CUSTOMIZATION, rule, options));
  }
  if (verdicts.putBack.length > 0) {
    const body = verdicts.putBack.toSorted(lastFirst).map(putBack);
    written.push(await member.patch(looked.gvr, at, { type: 'json', body }, options));
  }
  return written;
}

function absent(error: unknown): undefined {
  if (hasReason(error, 'NotFound')) return undefined;
  throw error;
}

function put(
  client: KubeClient,
  gvr: Gvr,
  object: KubeObject,
  options: { readonly fieldManager: string; readonly dryRun: boolean },
): Promise<KubeObject> {
  return object.metadata.resourceVersion ? client.update(gvr, object, options) : client.create(gvr, object, options);
}

function putBack({ livePath, sent, live }: FieldDifference): JsonPatchOperation {
  if (sent === undefined) return { op: 'remove', path: livePath };
  return { op: live === undefined ? 'add' : 'replace', path: livePath, value: sent };
}

/** Elements of a list are removed from its end: each removal moves those behind it. */
function lastFirst(a: FieldDifference, b: FieldDifference): number {
  return b.livePath.localeCompare(a.livePath, 'en', { numeric: true });
}

function partition<T>(all: readonly T[], test: (one: T) => boolean): readonly [readonly T[], readonly T[]] {
  return [all.filter(test), all.filter((one) => !test(one))];
}
