/** What customisations of the interpreter may say; as karmada v1.18 pkg/webhook/{resourceinterpretercustomization,configuration}. */
import type {
  ResourceInterpreterCustomization,
  ResourceInterpreterWebhook,
  ResourceInterpreterWebhookConfiguration,
} from '#karmada/apis/index.ts';
import { checkScripts, OPERATIONS, SCRIPT_FIELDS } from '#karmada/interpreter/index.ts';
import { reviewVersions, webhookClient } from '#kube/apiserver/kinds/webhook-client.ts';
import { duplicate, type FieldError, invalid, invalidAll, notSupported, required } from '#kube/meta/field-error.ts';
import { dns1035LabelProblems, dnsLabelProblems, dnsSubdomainProblems } from '#kube/meta/names.ts';

/** The first thing wrong with a customisation, given all there are: a conflict, or a script that is no Lua. */
export function customizationProblem(
  customization: ResourceInterpreterCustomization,
  all: readonly ResourceInterpreterCustomization[],
): string | undefined {
  for (const other of all) {
    if (other.metadata.name === customization.metadata.name) continue;
    const conflict = conflictingOperation(customization, other);
    if (conflict === undefined) continue;
    return `conflicting with InterpreterOperation(${conflict}) of existing ResourceInterpreterCustomization(${other.metadata.name})`;
  }
  const [broken] = checkScripts(customization);
  if (!broken) return undefined;
  const { operation, line, problem } = broken;
  return `InterpreterOperation(${operation}) Lua script error: ${line === undefined ? '' : `line ${line}: `}${problem}`;
}

/** Of each operation of a kind there may be one script; only dependencies may be told by several. */
function conflictingOperation(
  { spec }: ResourceInterpreterCustomization,
  { spec: other }: ResourceInterpreterCustomization,
): string | undefined {
  if (spec.target.apiVersion !== other.target.apiVersion || spec.target.kind !== other.target.kind) return undefined;
  return OPERATIONS.find((operation) => {
    const field = SCRIPT_FIELDS[operation];
    const both = spec.customizations[field]?.luaScript && other.customizations[field]?.luaScript;
    return operation !== 'InterpretDependency' && Boolean(both);
  });
}

export function webhookConfigurationErrors({ webhooks }: ResourceInterpreterWebhookConfiguration): FieldError[] {
  const names = webhooks.map(({ name }) => name);
  return webhooks.flatMap((webhook, at) => [
    ...webhookErrors(webhook, `webhooks[${at}]`),
    ...(names.indexOf(webhook.name) < at ? [duplicate(`webhooks[${at}].name`, webhook.name)] : []),
  ]);
}

const HTTPS_PORT = 443;
const VERSIONS = ['v1alpha1'];

function webhookErrors(webhook: ResourceInterpreterWebhook, path: string): FieldError[] {
  const { name, rules = [], timeoutSeconds, clientConfig, interpreterContextVersions } = webhook;
  const { service } = clientConfig;
  const client = service ? { ...clientConfig, service: { port: HTTPS_PORT, ...service } } : clientConfig;
  const outOfTime = timeoutSeconds !== undefined && (timeoutSeconds < 1 || timeoutSeconds > 30);
  const timeout = 'the timeout value must be between 1 and 30 seconds';
  return [
    ...domainErrors(name, `${path}.name`),
    ...rules.flatMap((rule, at) => ruleErrors(rule, `${path}.rules[${at}]`)),
    ...(outOfTime ? [invalid(`${path}.timeoutSeconds`, timeoutSeconds, timeout)] : []),
    ...webhookClient(client, `${path}.clientConfig`),
    ...versionErrors(interpreterContextVersions, `${path}.interpreterContextVersions`),
  ];
}

function versionErrors(versions: readonly string[], path: string): FieldError[] {
  const spelling = versions.flatMap((version, at) =>
    versions.indexOf(version) < at ? [] : invalidAll(`${path}[${at}]`, version, dns1035LabelProblems(version)),
  );
  return [...spelling, ...reviewVersions(versions, VERSIONS, path)];
}

/** A domain of at least two parts; the dot that may end it does not count. */
function domainErrors(text: string, path: string): FieldError[] {
  if (text === '') return [required(path)];
  const name = text.replace(/\.$/, '');
  const problems = dnsSubdomainProblems(name);
  if (problems.length > 0) return [invalid(path, name, problems.join(','))];
  const labels = name.split('.');
  if (labels.length < 2) {
    return [invalid(path, name, 'should be a domain with at least two segments separated by dots')];
  }
  const wrong = labels.find((label) => dnsLabelProblems(label).length > 0);
  return wrong === undefined ? [] : [invalid(path, wrong, dnsLabelProblems(wrong).join(','))];
}

type Rule = NonNullable<ResourceInterpreterWebhook['rules']>[number];

function ruleErrors({ operations, apiGroups, apiVersions, kinds }: Rule, path: string): FieldError[] {
  const supported = ['*', ...OPERATIONS].sort();
  const unknown = operations.flatMap((operation, at) =>
    supported.includes(operation) ? [] : [notSupported(`${path}.operations[${at}]`, operation, supported)],
  );
  return [
    ...listErrors(operations, `${path}.operations`, 'operations'),
    ...unknown,
    // The group may be empty: that is the core group.
    ...listErrors(apiGroups, `${path}.apiGroups`, 'API groups'),
    ...listErrors(apiVersions, `${path}.apiVersions`, 'API versions'),
    ...emptyErrors(apiVersions, `${path}.apiVersions`),
    ...listErrors(kinds, `${path}.kinds`, 'kinds'),
    ...emptyErrors(kinds, `${path}.kinds`),
  ];
}

function listErrors(items: readonly string[], path: string, what: string): FieldError[] {
  if (items.length === 0) return [required(path)];
  if (items.length === 1 || !items.includes('*')) return [];
  return [invalid(path, items, `if '*' is present, must not specify other ${what}`)];
}

function emptyErrors(items: readonly string[], path: string): FieldError[] {
  return items.flatMap((item, at) => (item === '' ? [required(`${path}[${at}]`)] : []));
}
