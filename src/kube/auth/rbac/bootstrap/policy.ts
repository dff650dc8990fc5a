/**
 * The roles and bindings every Kubernetes 1.35 cluster starts with, as `rule-text.ts` writes rules.
 *
 * Left out are those of programs that run within the control plane here (`system:controller:…`), and the rights to API
 * groups that ended long ago. Whoever installs software finds what it refers to: `cluster-admin`, `admin`, `edit`,
 * `view`, the roles of nodes, schedulers, proxies and extension API servers.
 */

export interface BootstrapRole {
  readonly rules?: readonly string[];
  /** Gathers the rules of all roles labelled for this. */
  readonly gathers?: Gathering;
  /** Is gathered by that role. */
  readonly partOf?: Gathering;
}

export type Gathering = 'admin' | 'edit' | 'view';

const DELEGATION = ['create authentication.k8s.io tokenreviews', 'create authorization.k8s.io subjectaccessreviews'];
const RECORD_EVENTS = 'create,patch,update core,events.k8s.io events';

export const CLUSTER_ROLES: Readonly<Record<string, BootstrapRole>> = {
  'cluster-admin': { rules: ['* * *', '* *'] },
  admin: { gathers: 'admin' },
  edit: { gathers: 'edit', partOf: 'admin' },
  view: { gathers: 'view', partOf: 'edit' },

  'system:aggregate-to-admin': {
    partOf: 'admin',
    rules: [
      'create authorization.k8s.io localsubjectaccessreviews',
      'write rbac.authorization.k8s.io rolebindings,roles',
    ],
  },
  'system:aggregate-to-edit': {
    partOf: 'edit',
    rules: [
      'read core pods/attach,pods/exec,pods/portforward,pods/proxy,secrets,services/proxy',
      'impersonate core serviceaccounts',
      'change core pods,pods/attach,pods/exec,pods/portforward,pods/proxy',
      'create core pods/eviction',
      'change core configmaps,persistentvolumeclaims,replicationcontrollers,replicationcontrollers/scale,secrets,serviceaccounts,services,services/proxy',
      'create core serviceaccounts/token',
      'change core,events.k8s.io events',
      'change apps daemonsets,deployments,deployments/rollback,deployments/scale,replicasets,replicasets/scale,statefulsets,statefulsets/scale',
      'change autoscaling horizontalpodautoscalers',
      'change batch cronjobs,jobs',
      'change policy poddisruptionbudgets',
      'change networking.k8s.io ingresses,networkpolicies',
      'write coordination.k8s.io leases',
      'change resource.k8s.io resourceclaims,resourceclaimtemplates',
    ],
  },
  'system:aggregate-to-view': {
    partOf: 'view',
    rules: [
      'read core configmaps,endpoints,persistentvolumeclaims,persistentvolumeclaims/status,pods,replicationcontrollers,replicationcontrollers/scale,serviceaccounts,services,services/status',
      'read core bindings,limitranges,namespaces/status,pods/log,pods/status,replicationcontrollers/status,resourcequotas,resourcequotas/status',
      // In a namespace this is the namespace itself, which is how people find out where they may go.
      'read core namespaces',
      'read core,events.k8s.io events',
      'read discovery.k8s.io endpointslices',
      'read apps controllerrevisions,daemonsets,daemonsets/status,deployments,deployments/scale,deployments/status,replicasets,replicasets/scale,replicasets/status,statefulsets,statefulsets/scale,statefulsets/status',
      'read autoscaling horizontalpodautoscalers,horizontalpodautoscalers/status',
      'read batch cronjobs,cronjobs/status,jobs,jobs/status',
      'read policy poddisruptionbudgets,poddisruptionbudgets/status',
      'read networking.k8s.io ingresses,ingresses/status,networkpolicies',
      'read resource.k8s.io resourceclaims,resourceclaims/status,resourceclaimtemplates',
    ],
  },

  'system:basic-user': {
    rules: [
      'create authorization.k8s.io selfsubjectaccessreviews,selfsubjectrulesreviews',
      'create authentication.k8s.io selfsubjectreviews',
    ],
  },
  'system:discovery': {
    rules: ['get /api,/api/*,/apis,/apis/*,/healthz,/livez,/openapi,/openapi/*,/readyz,/version,/version/'],
  },
  'system:public-info-viewer': { rules: ['get /healthz,/livez,/readyz,/version,/version/'] },
  'system:monitoring': {
    rules: [
      'get /healthz,/healthz/*,/livez,/livez/*,/metrics,/metrics/slis,/readyz,/readyz/*',
      'get core nodes/metrics',
    ],
  },
  'system:service-account-issuer-discovery': {
    rules: [
      'get /.well-known/openid-configuration,/.well-known/openid-configuration/,/openid/v1/jwks,/openid/v1/jwks/',
    ],
  },

  'system:auth-delegator': { rules: DELEGATION },
  'system:kube-aggregator': { rules: ['read core endpoints,services'] },
  'system:kube-dns': { rules: ['list,watch core endpoints,services'] },
  'system:kube-controller-manager': {
    rules: [
      RECORD_EVENTS,
      'create coordination.k8s.io leases',
      'get,update coordination.k8s.io leases kube-controller-manager',
      'create core secrets,serviceaccounts',
      'delete core secrets',
      'get core configmaps,namespaces,secrets,serviceaccounts',
      'update core secrets,serviceaccounts',
      ...DELEGATION,
      'list,watch * *',
      'create core serviceaccounts/token',
    ],
  },
  'system:kube-scheduler': {
    rules: [
      RECORD_EVENTS,
      'create coordination.k8s.io leases',
      'read,update coordination.k8s.io leases kube-scheduler',
      'write coordination.k8s.io leasecandidates',
      'read core namespaces,nodes,persistentvolumeclaims,persistentvolumes,replicationcontrollers,services',
      'delete,read core pods',
      'create core bindings,pods/binding',
      'patch,update core pods/status',
      'update core pods/finalizers',
      'read apps replicasets,statefulsets',
      'read policy poddisruptionbudgets',
      ...DELEGATION,
      'read storage.k8s.io csidrivers,csinodes,csistoragecapacities,volumeattachments',
      'read resource.k8s.io deviceclasses,resourceslices',
      'read,patch,update resource.k8s.io resourceclaims,resourceclaims/status',
    ],
  },
  'system:volume-scheduler': {
    rules: ['read,patch,update core persistentvolumeclaims,persistentvolumes', 'read storage.k8s.io storageclasses'],
  },
  'system:persistent-volume-provisioner': {
    rules: [
      'create,delete,read core persistentvolumes',
      'read,update core persistentvolumeclaims',
      'read storage.k8s.io storageclasses',
      'watch core events',
      RECORD_EVENTS,
    ],
  },

  'system:kubelet-api-admin': {
    rules: [
      'read,proxy core nodes',
      '* core nodes/log,nodes/metrics,nodes/proxy,nodes/stats',
      '* core nodes/configz,nodes/healthz,nodes/pods',
    ],
  },
  'system:node': {
    rules: [
      'create authentication.k8s.io tokenreviews',
      'create authorization.k8s.io localsubjectaccessreviews,subjectaccessreviews',
      'create,patch,update,read core nodes',
      'patch,update core nodes/status,pods/status',
      RECORD_EVENTS,
      'create,delete,read core pods',
      'create core pods/eviction,serviceaccounts/token',
      'read core configmaps,secrets,services',
      'get core endpoints,persistentvolumeclaims,persistentvolumes,serviceaccounts',
      'get,patch,update core persistentvolumeclaims/status',
      'create,read certificates.k8s.io certificatesigningrequests',
      'create,delete,get,patch,update coordination.k8s.io leases',
      'get storage.k8s.io volumeattachments',
      'read storage.k8s.io csidrivers',
      'create,delete,get,patch,update storage.k8s.io csinodes',
      'read node.k8s.io runtimeclasses',
      'get resource.k8s.io resourceclaims',
      'deletecollection resource.k8s.io resourceslices',
    ],
  },
  'system:node-bootstrapper': { rules: ['create,read certificates.k8s.io certificatesigningrequests'] },
  'system:node-problem-detector': { rules: ['get core nodes', 'patch core nodes/status', RECORD_EVENTS] },
  'system:node-proxier': {
    rules: [
      'list,watch core endpoints,services',
      'read core nodes',
      RECORD_EVENTS,
      'list,watch networking.k8s.io servicecidrs',
      'list,watch discovery.k8s.io endpointslices',
    ],
  },

  'system:certificates.k8s.io:certificatesigningrequests:nodeclient': {
    rules: ['create certificates.k8s.io certificatesigningrequests/nodeclient'],
  },
  'system:certificates.k8s.io:certificatesigningrequests:selfnodeclient': {
    rules: ['create certificates.k8s.io certificatesigningrequests/selfnodeclient'],
  },
  'system:certificates.k8s.io:kube-apiserver-client-approver': {
    rules: ['approve certificates.k8s.io signers kubernetes.io/kube-apiserver-client'],
  },
  'system:certificates.k8s.io:kube-apiserver-client-kubelet-approver': {
    rules: ['approve certificates.k8s.io signers kubernetes.io/kube-apiserver-client-kubelet'],
  },
  'system:certificates.k8s.io:kubelet-serving-approver': {
    rules: ['approve certificates.k8s.io signers kubernetes.io/kubelet-serving'],
  },
  'system:certificates.k8s.io:legacy-unknown-approver': {
    rules: ['approve certificates.k8s.io signers kubernetes.io/legacy-unknown'],
  },
};

/** Subjects, as `group:name`, `user:name` or `account:namespace/name`, of the ClusterRole of the same name. */
export const CLUSTER_ROLE_BINDINGS: Readonly<Record<string, readonly string[]>> = {
  'cluster-admin': ['group:system:masters'],
  'system:basic-user': ['group:system:authenticated'],
  'system:discovery': ['group:system:authenticated'],
  'system:public-info-viewer': ['group:system:authenticated', 'group:system:unauthenticated'],
  'system:monitoring': ['group:system:monitoring'],
  'system:service-account-issuer-discovery': ['group:system:serviceaccounts'],
  'system:kube-controller-manager': ['user:system:kube-controller-manager'],
  'system:kube-scheduler': ['user:system:kube-scheduler'],
  'system:volume-scheduler': ['user:system:kube-scheduler'],
  'system:kube-dns': ['account:kube-system/kube-dns'],
  'system:node': [],
  'system:node-proxier': ['user:system:kube-proxy'],
};

const LEAD = [
  'create,read,update coordination.k8s.io leases',
  'create,read,update coordination.k8s.io leasecandidates',
];

/** Roles in `kube-system`, each with the name of its binding and whom it binds. */
export const SYSTEM_ROLES: Readonly<
  Record<string, { readonly rules: readonly string[]; readonly binding: string; readonly subjects: readonly string[] }>
> = {
  'extension-apiserver-authentication-reader': {
    rules: ['read core configmaps extension-apiserver-authentication'],
    binding: 'system::extension-apiserver-authentication-reader',
    subjects: ['user:system:kube-controller-manager', 'user:system:kube-scheduler'],
  },
  'system::leader-locking-kube-controller-manager': {
    rules: LEAD,
    binding: 'system::leader-locking-kube-controller-manager',
    subjects: ['user:system:kube-controller-manager', 'account:kube-system/kube-controller-manager'],
  },
  'system::leader-locking-kube-scheduler': {
    rules: LEAD,
    binding: 'system::leader-locking-kube-scheduler',
    subjects: ['user:system:kube-scheduler', 'account:kube-system/kube-scheduler'],
  },
};
