export { deregisterResource, registerResource } from './registrations.ts';
export { type PlaceInput, type WorkspacesService, workspacesService } from './workspaces-service.ts';
