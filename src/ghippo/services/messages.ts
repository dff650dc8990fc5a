/** What several services say and hear: scopes, subjects, tokens, pages. */
import type { MessageInitShape } from '@bufbuild/protobuf';
import { badRequest } from '#base/status-error.ts';
import {
  type AccessTokenSchema,
  type PaginationSchema,
  type Scope as ScopeMessage,
  Scope_Type,
  type ScopeSchema,
  type Subject as SubjectMessage,
  Subject_Kind,
  type SubjectSchema,
} from '#gen/proto/ghippo/api/types/v1alpha1/types_pb.ts';
import type { Subject } from '#ghippo/apis/kinds.ts';
import {
  folderScope,
  instanceScope,
  namespaceScope,
  PLATFORM,
  type Scope,
  SCOPE_TYPES,
  type ScopeType,
  workspaceScope,
} from '#ghippo/apis/scope.ts';
import type { TokenUse } from '#ghippo/token/index.ts';

export const PAGE = { default: 10, max: 1_000 };

export function scopeTypeFrom(type: Scope_Type): ScopeType | undefined {
  return SCOPE_TYPES.find((name) => Scope_Type[name] === type);
}

/** Undefined when none is named; refuses one that lacks the name of its place. */
export function scopeFrom(message: ScopeMessage | undefined): Scope | undefined {
  const type = message && scopeTypeFrom(message.type);
  if (!message || !type) return undefined;
  const named = (field: 'folder' | 'workspace' | 'instance' | 'namespace') =>
    message[field] || refuse(`a scope of type ${type} names its ${field}`);
  switch (type) {
    case 'Platform':
      return PLATFORM;
    case 'Folder':
      return folderScope(named('folder'));
    case 'Workspace':
      return workspaceScope(named('workspace'));
    case 'Instance':
      return instanceScope(named('instance'));
    case 'Namespace':
      return namespaceScope(named('instance'), named('namespace'));
  }
}

export function scopeMessage(scope: Scope): MessageInitShape<typeof ScopeSchema> {
  return { ...scope, type: Scope_Type[scope.type] };
}

export function subjectFrom(message: SubjectMessage): Subject {
  const kind = (['User', 'Group', 'Role'] as const).find((name) => Subject_Kind[name] === message.kind);
  if (!kind || message.name === '') return refuse('a subject is a User, a Group or a Role, and has a name');
  return { kind, name: message.name };
}

export function subjectMessage({ kind, name }: Subject): MessageInitShape<typeof SubjectSchema> {
  return { kind: Subject_Kind[kind], name };
}

export function tokenMessage(token: TokenUse): MessageInitShape<typeof AccessTokenSchema> {
  return {
    id: token.id,
    user: token.user,
    description: token.description,
    createdAt: BigInt(token.createdAt),
    expiresAt: BigInt(token.expiresAt),
    permissions: [...(token.permissions ?? [])],
    scopes: (token.scopes ?? []).map(scopeMessage),
    lastUsedAt: BigInt(token.lastUsed?.at ?? 0),
    lastUsedFrom: token.lastUsed?.address ?? '',
  };
}

export interface PageRequest {
  readonly page: number;
  readonly pageSize: number;
}

export function paged<T>(
  request: PageRequest,
  all: readonly T[],
): { readonly items: T[]; readonly pagination: MessageInitShape<typeof PaginationSchema> } {
  const [page, pageSize] = [request.page || 1, request.pageSize || PAGE.default];
  if (page < 1 || pageSize < 1 || pageSize > PAGE.max)
    return refuse(`pages count from 1 and have at most ${PAGE.max} items`);
  const items = all.slice((page - 1) * pageSize, page * pageSize);
  return { items, pagination: { total: all.length, page, pageSize, pages: Math.ceil(all.length / pageSize) } };
}

/** A time as objects carry it, in milliseconds. */
export function timeOf({ metadata }: { readonly metadata: { readonly creationTimestamp?: string } }): bigint {
  return BigInt(Date.parse(metadata.creationTimestamp ?? '') || 0);
}

/** What a request gave of texts that are absent when they are empty. */
export function given<Field extends string>(
  fields: Readonly<Record<Field, string | undefined>>,
): { [F in Field]?: string } {
  const texts = Object.entries(fields).filter(([, text]) => text !== undefined && text !== '');
  return Object.fromEntries(texts) as { [F in Field]?: string };
}

function refuse(message: string): never {
  throw badRequest(message);
}
