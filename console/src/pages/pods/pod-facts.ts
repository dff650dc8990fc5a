/** What a list says of a pod, from its object as it is. Pure. */
export interface PodLike {
  readonly spec?: {
    readonly nodeName?: string;
    readonly containers?: readonly { readonly name: string; readonly image?: string }[];
  };
  readonly status?: {
    readonly podIP?: string;
    readonly containerStatuses?: readonly { readonly ready?: boolean; readonly restartCount?: number }[];
  };
}

export function readyOf(pod: PodLike | undefined): { readonly ready: string; readonly restarts: number } {
  const all = pod?.status?.containerStatuses ?? [];
  const total = pod?.spec?.containers?.length ?? all.length;
  return {
    ready: `${all.filter(({ ready }) => ready === true).length}/${total}`,
    restarts: all.reduce((sum, { restartCount = 0 }) => sum + restartCount, 0),
  };
}

export interface PodFilter {
  readonly q: string;
  readonly cluster: string;
  readonly ns: string;
}

/** The same words that the search takes. */
export function podQuery({ q, cluster, ns }: PodFilter): string {
  return ['kind:pod', cluster && `cluster:${cluster}`, ns.trim() && `namespace:${ns.trim()}`, q.trim()]
    .filter(Boolean)
    .join(' ');
}
