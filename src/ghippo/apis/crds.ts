/** The kinds of Ghippo as CustomResourceDefinitions. */
import {
  boolean,
  column,
  conditionPath,
  type CrdSchema,
  type CustomResourceDefinition,
  definition,
  having,
  int32,
  type KindDefinition,
  list,
  object,
  oneOf,
  type PrinterColumn,
  type Properties,
  string,
  time,
} from '#kube/crds/index.ts';
import {
  ACCESS_BINDING,
  FOLDER,
  GROUP,
  IDENTITY_PROVIDER,
  PRODUCT,
  RESOURCE_REGISTRATION,
  ROLE,
  TIERS,
  USER,
  WEBHOOK_ENDPOINT,
  WORKSPACE,
  WORKSPACE_RESOURCE,
} from './kinds.ts';
import { SCOPE_TYPES } from './scope.ts';

const AGE: PrinterColumn = { name: 'Age', type: 'date', jsonPath: '.metadata.creationTimestamp' };
const nameOf = (what: string) => having(string(what), { minLength: 1, maxLength: 253 });
const label = { displayName: string('The name people see.'), description: string() };
const texts = (description?: string) => list(string(), description);

const scope = (types: readonly string[], description: string) =>
  object(
    {
      type: oneOf(types),
      folder: string(),
      workspace: string(),
      instance: string(),
      namespace: string('A namespace of the instance.'),
    },
    ['type'],
    description,
  );
const bindable = scope(['Instance', 'Namespace'], 'An instance, or a namespace of one.');

function kind(
  names: KindDefinition['names'],
  description: string,
  spec: CrdSchema,
  columns: readonly PrinterColumn[] = [],
  status?: Properties,
): CustomResourceDefinition {
  return definition({
    names,
    scope: 'Cluster',
    category: 'ghippo',
    description,
    properties: { spec, ...(status ? { status: object(status) } : {}) },
    columns: [...columns, AGE],
    hasStatus: status !== undefined,
  });
}

const user = kind(
  USER,
  'A person, or a program that has an account.',
  object({
    ...label,
    email: string(),
    disabled: boolean('A disabled user may do nothing.'),
    external: object(
      { provider: string(), issuer: string(), subject: string(), groups: texts() },
      ['provider', 'issuer', 'subject'],
      'Who an identity provider says this is.',
    ),
  }),
  [
    column('Email', '.spec.email'),
    column('Provider', '.spec.external.provider'),
    column('Disabled', '.spec.disabled', 'boolean'),
  ],
);

const group = kind(
  GROUP,
  'People who are given rights together.',
  object({ description: string(), members: texts('Names of users.') }),
);

const numbered = having(int32('The number the published API knows it by.'), { minimum: 1 });

const folder = kind(
  FOLDER,
  'A place for workspaces and other folders.',
  object({ id: numbered, ...label, parent: string('The folder it is in.') }, ['id']),
  [column('Parent', '.spec.parent')],
);

const workspace = kind(
  WORKSPACE,
  'A team with what belongs to it.',
  object({ id: numbered, ...label, folder: string('The folder it is in.') }, ['id']),
  [column('Folder', '.spec.folder')],
);

const workspaceResource = kind(
  WORKSPACE_RESOURCE,
  'Something that belongs to a workspace.',
  object({ workspace: nameOf('The workspace.'), resource: bindable }, ['workspace', 'resource']),
  [
    column('Workspace', '.spec.workspace'),
    column('Instance', '.spec.resource.instance'),
    column('Namespace', '.spec.resource.namespace'),
  ],
);

const tier = oneOf(TIERS, 'How much it can change; each tier includes those before it.');

const role = kind(
  ROLE,
  'A set of permission points.',
  object(
    {
      ...label,
      scope: oneOf(SCOPE_TYPES, 'Where it can be bound.'),
      permissions: texts('Points as product/resource/action; * stands for any part.'),
      includes: list(object({ tier, product: string('Of all products when absent.') }, ['tier'])),
      builtin: boolean('Comes with the product and cannot be changed.'),
    },
    ['scope'],
  ),
  [column('Scope', '.spec.scope'), column('Builtin', '.spec.builtin', 'boolean')],
);

const accessBinding = kind(
  ACCESS_BINDING,
  'Gives a role to subjects in a scope.',
  object(
    {
      role: nameOf('The role given.'),
      scope: scope(SCOPE_TYPES, 'Where it holds.'),
      subjects: having(
        list(object({ kind: oneOf(['User', 'Group', 'Role']), name: nameOf('Who.') }, ['kind', 'name'])),
        {
          minItems: 1,
        },
      ),
    },
    ['role', 'scope', 'subjects'],
  ),
  [column('Role', '.spec.role'), column('Scope', '.spec.scope.type'), column('Subjects', '.spec.subjects[*].name')],
);

const point = object(
  {
    resourceType: nameOf('What is acted on.'),
    action: nameOf('What is done.'),
    tier,
    scope: oneOf(SCOPE_TYPES, 'The narrowest scope in which it can be asked for.'),
    description: string(),
    dependsOn: texts('Points of the same product, resource/action, without which it is of no use.'),
    operations: texts('Operations of the API that ask for it.'),
  },
  ['resourceType', 'action', 'tier', 'scope'],
);

const product = kind(
  PRODUCT,
  'What a product can do, and what each of its operations asks for.',
  object(
    {
      displayName: string('The name people see.'),
      resourceTypes: list(object({ name: string(), displayName: string(), bindable: boolean() }, ['name'])),
      permissions: list(point),
    },
    ['permissions'],
  ),
);

const registration = kind(
  RESOURCE_REGISTRATION,
  'A resource that people can be given rights on.',
  object({ product: string(), resourceType: string(), resource: bindable, displayName: string() }, [
    'product',
    'resourceType',
    'resource',
  ]),
  [
    column('Type', '.spec.resourceType'),
    column('Instance', '.spec.resource.instance'),
    column('Namespace', '.spec.resource.namespace'),
  ],
);

const identityProvider = kind(
  IDENTITY_PROVIDER,
  'An OpenID Connect provider people may sign in with.',
  object(
    {
      displayName: string('The name on the button.'),
      issuer: nameOf('Its address, as its tokens state it.'),
      clientId: nameOf('What it knows us as.'),
      clientSecretName: string(),
      scopes: texts('Asked for beside openid.'),
      usernameClaim: string(),
      groupsClaim: string(),
      groupsPrefix: string('Put before the names of its groups.'),
      groupMapping: list(object({ claim: string(), group: string() }, ['claim', 'group'])),
      disabled: boolean(),
    },
    ['issuer', 'clientId'],
  ),
  [column('Issuer', '.spec.issuer')],
);

const condition = object(
  { type: string(), status: string(), reason: string(), message: string(), lastTransitionTime: time() },
  ['type', 'status'],
);

const webhookEndpoint = kind(
  WEBHOOK_ENDPOINT,
  'Who is told of every change of a binding.',
  object({ url: nameOf('Where to post.'), secretName: nameOf('The Secret with the key.'), disabled: boolean() }, [
    'url',
    'secretName',
  ]),
  [column('URL', '.spec.url'), column('Delivering', conditionPath('Delivering'))],
  { conditions: list(condition) },
);

export const ghippoCrds: readonly CustomResourceDefinition[] = [
  user,
  group,
  folder,
  workspace,
  workspaceResource,
  role,
  accessBinding,
  product,
  registration,
  identityProvider,
  webhookEndpoint,
];
