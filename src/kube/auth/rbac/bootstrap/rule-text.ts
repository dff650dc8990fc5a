/**
 * Rules written as one line each, so that a table of roles can be read:
 *
 *     verbs groups resources [names]       'read core,events.k8s.io events'
 *     verbs paths                          'get /healthz,/healthz/*'
 *
 * Lists are separated by commas; `core` is the group without a name; `read`, `change` and `write` stand for the verbs
 * that only look, those that only change, and both.
 */
import { StatusError } from '#base/status-error.ts';
import type { PolicyRule } from '../policy-rule.ts';

const READ = ['get', 'list', 'watch'];
const CHANGE = ['create', 'delete', 'deletecollection', 'patch', 'update'];
const VERBS: Readonly<Record<string, readonly string[]>> = {
  read: READ,
  change: CHANGE,
  write: [...CHANGE, ...READ].sort(),
};

export function ruleOf(text: string): PolicyRule {
  const [verbs = '', second = '', resources, names, ...rest] = text.split(' ');
  if (verbs === '' || second === '' || rest.length > 0) throw new StatusError('InternalError', `no rule: ${text}`);
  const allowed = [...new Set(list(verbs).flatMap((verb) => VERBS[verb] ?? [verb]))];
  if (resources === undefined) return { verbs: allowed, nonResourceURLs: list(second) };
  return {
    verbs: allowed,
    apiGroups: list(second).map((group) => (group === 'core' ? '' : group)),
    resources: list(resources),
    ...(names === undefined ? {} : { resourceNames: list(names) }),
  };
}

function list(text: string): readonly string[] {
  return text.split(',');
}
