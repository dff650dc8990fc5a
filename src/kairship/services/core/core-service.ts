/** The basic kinds of an instance: namespaces, config maps, secrets, services and events; and pods in its members. */
import { CoreService } from '#gen/proto/kairship/api/core/v1alpha1/core_service_pb.ts';
import { type ServedService, service } from '#rpc/index.ts';
import type { ServiceDeps } from '../deps.ts';
import { configRpcs } from './config.ts';
import { eventRpcs } from './events.ts';
import { namespaceRpcs } from './namespaces.ts';
import { podRpcs } from './pods.ts';
import { serviceRpcs } from './services.ts';

export function coreService(deps: ServiceDeps): ServedService {
  return service(CoreService, {
    ...namespaceRpcs(deps),
    ...configRpcs(deps),
    ...serviceRpcs(deps),
    ...eventRpcs(deps),
    ...podRpcs(deps),
  });
}
