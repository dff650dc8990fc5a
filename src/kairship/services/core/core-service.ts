/** The basic kinds of an instance: namespaces, config, services, storage and events; pods and events of its members. */
import { CoreService } from '#gen/proto/kairship/api/core/v1alpha1/core_service_pb.ts';
import { type ServedService, service } from '#rpc/index.ts';
import type { ServiceDeps } from '../deps.ts';
import { configRpcs } from './config.ts';
import { eventRpcs } from './events.ts';
import { memberEventRpcs } from './member-events.ts';
import { namespaceRpcs } from './namespaces.ts';
import { podRpcs } from './pods.ts';
import { serviceRpcs } from './services.ts';
import { volumeClaimRpcs } from './volume-claims.ts';

export function coreService(deps: ServiceDeps): ServedService {
  return service(CoreService, {
    ...namespaceRpcs(deps),
    ...configRpcs(deps),
    ...serviceRpcs(deps),
    ...eventRpcs(deps),
    ...memberEventRpcs(deps),
    ...volumeClaimRpcs(deps),
    ...podRpcs(deps),
  });
}
