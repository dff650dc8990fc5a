/** Streams of changes: what there is first, then every change, for as long as the caller listens. */
import { create, type JsonObject } from '@bufbuild/protobuf';
import { jsonEqual } from '#base/json.ts';
import { badRequest, StatusError } from '#base/status-error.ts';
import {
  ChangeType,
  WatchInstancesResponseSchema,
  WatchObjectsResponseSchema,
  WatchService,
} from '#gen/proto/kairship/api/watch/v1alpha1/watch_service_pb.ts';
import { type ServedService, service } from '#rpc/index.ts';
import { reachOf } from '../../access/authorize.ts';
import { kairshipPermission } from '../../access/kairship-product.ts';
import { INSTANCES, type Instance } from '../../instances/index.ts';
import type { Watches } from '../../read/watches.ts';
import { callerIn, reachIn, type ServiceDeps } from '../deps.ts';
import { instanceMessage } from '../instance/instance-message.ts';

const WATCH = kairshipPermission('object', 'watch');

const TYPES = {
  ADDED: ChangeType.ADDED,
  MODIFIED: ChangeType.MODIFIED,
  DELETED: ChangeType.DELETED,
  BOOKMARK: ChangeType.BOOKMARK,
} as const;

export function watchService(deps: ServiceDeps & { readonly watches: Watches }): ServedService {
  return service(WatchService, {
    async *watchInstances(_, context) {
      const options = {
        signal: context.signal,
        sendInitialEvents: true,
        resourceVersionMatch: 'NotOlderThan',
        allowWatchBookmarks: true,
      } as const;
      for await (const { type, object } of deps.global.watch<Instance>(INSTANCES, options)) {
        const { resourceVersion: revision = '' } = object.metadata;
        if (type === 'BOOKMARK') {
          yield create(WatchInstancesResponseSchema, { type: TYPES.BOOKMARK, revision });
          continue;
        }
        // Asked for every change: a right that was taken away is gone on a stream that is open, too.
        const reach = reachOf(deps.access, callerIn(context), kairshipPermission('instance', 'watch'));
        const { name } = object.metadata;
        const sees =
          reach.all || reach.instances.includes(name) || reach.namespaces.some(({ instance }) => instance === name);
        if (sees)
          yield create(WatchInstancesResponseSchema, {
            type: TYPES[type],
            instance: instanceMessage(object),
            revision,
          });
      }
    },

    async *watchObjects(request, context) {
      const { instance, cluster, apiVersion, kind, namespace, labelSelector, fromRevision } = request;
      if (apiVersion === '' || kind === '')
        throw badRequest('apiVersion and kind: say what to watch, such as apps/v1 and Deployment');
      const after = fromRevision === '' ? undefined : Number(fromRevision);
      if (after !== undefined && !Number.isSafeInteger(after))
        throw badRequest(`fromRevision "${fromRevision}" is no revision`);
      const reach = reachIn(deps, context, WATCH, instance);
      const changes = deps.watches({
        place: { instance, ...(cluster ? { cluster } : {}) },
        apiVersion,
        kind,
        ...(namespace ? { namespace } : {}),
        ...(labelSelector ? { labelSelector } : {}),
        ...(after === undefined ? {} : { after }),
        reach,
        signal: context.signal,
      });
      for await (const change of changes) {
        // What the stream shows was decided when it began: with other rights it must begin anew.
        if (!jsonEqual(reachIn(deps, context, WATCH, instance), reach))
          throw new StatusError(
            'Forbidden',
            `the rights of user "${callerIn(context).user}" have changed: watch again`,
          );
        const object = change.type === 'BOOKMARK' ? {} : { object: change.object as unknown as JsonObject };
        yield create(WatchObjectsResponseSchema, {
          type: TYPES[change.type],
          revision: String(change.revision),
          ...object,
        });
      }
    },
  });
}
