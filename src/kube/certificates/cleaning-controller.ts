import type { CertificateSigningRequest } from '#gen/kube/types.ts';
import type { Clock } from '#base/clock.ts';
import type { KubeClient } from '#kube/client/kube-client.ts';
import { typed } from '#kube/client/typed-client.ts';
import { type Controller, done, retryIn } from '#kube/runtime/controller.ts';
import { REQUESTS } from './signing-controller.ts';

const HOUR_MS = 3_600_000;

/** Removes requests for certificates an hour after they were answered, or a day after they were made or approved in vain. */
export function cleaningController({ client, clock }: { client: KubeClient; clock: Clock }): Controller {
  const requests = typed<CertificateSigningRequest>(client, {
    gvr: REQUESTS,
    kind: 'CertificateSigningRequest',
    namespaced: false,
  });
  return {
    name: 'certificate-request-cleaner',
    watches: [{ gvr: REQUESTS }],
    async reconcile({ key }) {
      const found = await requests.find(key);
      if (!found) return done;
      const left = endOf(found) - clock.now();
      if (left > 0) return retryIn(left, 'the request is still of use');
      await requests.remove(key);
      return done;
    },
  };
}

/** When nobody needs a request any more, in milliseconds since the epoch. */
export function endOf({ metadata, status }: CertificateSigningRequest): number {
  const created = Date.parse(metadata.creationTimestamp ?? '');
  const ends = (status?.conditions ?? []).map(({ type, lastUpdateTime }) => {
    const since = lastUpdateTime ? Date.parse(lastUpdateTime) : created;
    return since + (type === 'Approved' && !status?.certificate ? 24 : 1) * HOUR_MS;
  });
  return ends.length === 0 ? created + 24 * HOUR_MS : Math.min(...ends);
}
