/** The services behind the pages of access. */
import { createClient } from '@connectrpc/connect';
import { AccessService } from '#gen/proto/ghippo/api/access/v1alpha1/access_service_pb.ts';
import { GroupService } from '#gen/proto/ghippo/api/group/v1alpha1/group_service_pb.ts';
import { LoginService } from '#gen/proto/ghippo/api/login/v1alpha1/login_service_pb.ts';
import { RoleService } from '#gen/proto/ghippo/api/role/v1alpha1/role_service_pb.ts';
import { UsersService } from '#gen/proto/ghippo/api/users/v1alpha1/users_service_pb.ts';
import { WorkspaceService } from '#gen/proto/ghippo/api/workspace/v1alpha1/workspace_service_pb.ts';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { transport } from '../../api/transport.ts';

export const access = createClient(AccessService, transport);
export const groups = createClient(GroupService, transport);
export const login = createClient(LoginService, transport);
export const roles = createClient(RoleService, transport);
export const users = createClient(UsersService, transport);
export const workspaces = createClient(WorkspaceService, transport);

/** What of the tab is open, kept in the address. */
export function useOpened(): readonly [opened: string, open: (what: string) => void] {
  const { open } = useSearch({ from: '/access' });
  const navigate = useNavigate({ from: '/access' });
  return [open, (what) => void navigate({ search: (now) => ({ ...now, open: what }) })];
}
