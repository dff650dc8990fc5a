/**
 * Fields that are kept as they are in members: the retention rules that verdicts write, and those the engine has. Pure.
 *
 * A rule is a ResourceInterpreterCustomization of ours, one for each kind, with the fields it keeps listed on it. Kinds
 * for which the engine has a retention of its own are left alone: a rule would take its place.
 */
import { isObject } from '#base/json.ts';
import { badRequest, StatusError } from '#base/status-error.ts';
import {
  LABELS,
  RESOURCE_INTERPRETER_CUSTOMIZATION,
  type ResourceInterpreterCustomization,
} from '#karmada/apis/index.ts';
import { parseApiVersion } from '#kube/meta/gvk.ts';
import type { KubeObject } from '#kube/meta/object.ts';
import { pointerKeys } from './field-drift.ts';

export interface KeptField {
  readonly namespace: string;
  readonly name: string;
  readonly path: string;
}

interface Kind {
  readonly apiVersion: string;
  readonly kind: string;
}

const KEPT = 'kairship.io/kept-fields';
const REPLICAS = '/spec/replicas';
const WITH_OWN_RETENTION = [
  'Pod',
  'Service',
  'ServiceAccount',
  'PersistentVolumeClaim',
  'PersistentVolume',
  'Job',
  'Secret',
];

/** By which rule a field of an object is kept; undefined when it is not. */
export function keptBy(
  { apiVersion, kind, metadata }: KubeObject,
  path: string,
  rules: readonly ResourceInterpreterCustomization[],
): string | undefined {
  if (isDeployment({ apiVersion, kind }) && path === REPLICAS && metadata.labels?.[LABELS.retainReplicas] === 'true')
    return `label ${LABELS.retainReplicas}`;
  const rule = rules.find(
    (one) =>
      isFor(one, { apiVersion, kind }) &&
      fieldsOf(one).some(
        (field) =>
          field.path === path && field.name === metadata.name && field.namespace === (metadata.namespace ?? ''),
      ),
  );
  return rule && `${rule.kind} ${rule.metadata.name}`;
}

/** The rule of a kind with more fields in it; throws where somebody else's rule is in force. */
export function ruleKeeping(
  kind: Kind,
  fields: readonly KeptField[],
  rules: readonly ResourceInterpreterCustomization[],
): ResourceInterpreterCustomization {
  if (WITH_OWN_RETENTION.includes(kind.kind))
    throw badRequest(
      `some fields of every ${kind.kind} are kept already, and a rule of yours would take the place of that one: ` +
        'put the field back, or make it an override',
    );
  const others = rules.find((one) => isFor(one, kind) && one.spec.customizations.retention && !isOurs(one, kind));
  if (others)
    throw new StatusError(
      'Conflict',
      `ResourceInterpreterCustomization "${others.metadata.name}" says already what is kept of every ${kind.kind}: ` +
        'add the field there',
    );
  const own = rules.find((one) => isOurs(one, kind));
  const all = distinct([...(own ? fieldsOf(own) : []), ...fields]);
  return {
    apiVersion: RESOURCE_INTERPRETER_CUSTOMIZATION.apiVersion,
    kind: 'ResourceInterpreterCustomization',
    metadata: {
      name: ruleName(kind),
      ...(own?.metadata.resourceVersion ? { resourceVersion: own.metadata.resourceVersion } : {}),
      annotations: { [KEPT]: JSON.stringify(all) },
    },
    spec: { target: { ...kind }, customizations: { retention: { luaScript: scriptKeeping(kind, all) } } },
  };
}

function ruleName({ apiVersion, kind }: Kind): string {
  const { group } = parseApiVersion(apiVersion);
  return `kairship-kept-${kind.toLowerCase()}${group === '' ? '' : `.${group}`}`;
}

function isFor({ spec }: ResourceInterpreterCustomization, { apiVersion, kind }: Kind): boolean {
  return spec.target.apiVersion === apiVersion && spec.target.kind === kind;
}

function isOurs({ metadata }: ResourceInterpreterCustomization, kind: Kind): boolean {
  return metadata.name === ruleName(kind);
}

function isDeployment({ apiVersion, kind }: Kind): boolean {
  return apiVersion === 'apps/v1' && kind === 'Deployment';
}

function fieldsOf({ metadata }: ResourceInterpreterCustomization): readonly KeptField[] {
  try {
    const found: unknown = JSON.parse(metadata.annotations?.[KEPT] ?? '[]');
    return Array.isArray(found) ? found.filter(isKeptField) : [];
  } catch {
    return [];
  }
}

function isKeptField(value: unknown): value is KeptField {
  return isObject(value) && ['namespace', 'name', 'path'].every((key) => typeof value[key] === 'string');
}

function distinct(fields: readonly KeptField[]): readonly KeptField[] {
  return [...new Map(fields.map((field) => [JSON.stringify(field), field])).values()];
}

function scriptKeeping(kind: Kind, fields: readonly KeptField[]): string {
  const keeps = fields.map(
    ({ namespace, name, path }) =>
      `  keep(${luaText(namespace)}, ${luaText(name)}, {${pointerKeys(path).map(luaKey).join(', ')}})`,
  );
  return `${[
    'function Retain(desiredObj, observedObj)',
    '  local function keep(namespace, name, path)',
    '    if (desiredObj.metadata.namespace or "") ~= namespace or desiredObj.metadata.name ~= name then return end',
    '    local to, from = desiredObj, observedObj',
    '    for i = 1, #path - 1 do',
    '      to, from = to[path[i]], from[path[i]]',
    '      if to == nil or from == nil then return end',
    '    end',
    '    to[path[#path]] = from[path[#path]]',
    '  end',
    ...(isDeployment(kind) ? replicasRule() : []),
    ...keeps,
    '  return desiredObj',
    'end',
  ].join('\n')}\n`;
}

/** What the engine itself does with Deployments, whose place the script takes. */
const replicasRule = () => [
  '  local labels = desiredObj.metadata.labels',
  `  if labels ~= nil and labels["${LABELS.retainReplicas}"] == "true" then`,
  '    desiredObj.spec.replicas = observedObj.spec.replicas',
  '  end',
];

/** Elements of lists are counted from one. */
const luaKey = (key: string): string => (/^\d+$/.test(key) ? String(Number(key) + 1) : luaText(key));

/** Decimal escapes only: they are the same in every Lua. */
function luaText(text: string): string {
  const bytes = [...Buffer.from(text)].map((byte) =>
    byte >= 32 && byte < 127 && byte !== 34 && byte !== 92
      ? String.fromCharCode(byte)
      : `\\${String(byte).padStart(3, '0')}`,
  );
  return `"${bytes.join('')}"`;
}
