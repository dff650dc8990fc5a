import type { KindCases } from '../kind-cases.ts';

const C = 'spec.containers[0]';
const c = 'spec/containers/0';

export const pod: KindCases = {
  kind: 'Pod',
  apiVersion: 'v1',
  least: { spec: { containers: [{ name: 'main', image: 'nginx' }] } },
  refused: [
    [
      'users of its own do not go with processes of the host',
      { 'spec/hostUsers': false, 'spec/hostPID': true },
      'spec.HostPID: Forbidden: when `hostUsers` is false',
    ],
    [
      'an iSCSI target has a name, and a secret to log in with',
      {
        'spec/volumes': [
          { name: 'v', iscsi: { targetPortal: 'p', iqn: 'iqn.x', lun: 0, chapAuthSession: true, initiatorName: 'me' } },
        ],
      },
      'spec.volumes[0].iscsi.iqn: Invalid value: "iqn.x": must be valid format',
      'spec.volumes[0].iscsi.secretRef: Required value',
      'spec.volumes[0].iscsi.initiatorname: Invalid value: "me": must be valid format starting with iqn, eui, or naa',
    ],
    ['containers are required', { 'spec/containers': [] }, 'spec.containers: Required value'],
    ['a container has a name', { [`${c}/name`]: '' }, `${C}.name: Required value`],
    ['a container name is a label', { [`${c}/name`]: 'a.b' }, `${C}.name: Invalid value: "a.b": must not contain dots`],
    ['a container has an image', { [`${c}/image`]: undefined }, `${C}.image: Required value`],
    [
      'an image has no space around it',
      { [`${c}/image`]: ' nginx' },
      `${C}.image: Invalid value: " nginx": must not have leading or trailing whitespace`,
    ],
    [
      'container names differ',
      { 'spec/containers/1': { name: 'main', image: 'x' } },
      'spec.containers[1].name: Duplicate value: "main"',
    ],
    [
      'names of init containers differ from those of others',
      { 'spec/initContainers/0': { name: 'main', image: 'x' } },
      'spec.initContainers[0].name: Duplicate value: "main"',
    ],
    [
      'pull policies are known',
      { [`${c}/imagePullPolicy`]: 'Sometimes' },
      `${C}.imagePullPolicy: Unsupported value: "Sometimes": supported values: "Always", "IfNotPresent", "Never"`,
    ],
    [
      'restart policies are known',
      { 'spec/restartPolicy': 'Maybe' },
      'spec.restartPolicy: Unsupported value: "Maybe": supported values: "Always", "OnFailure", "Never"',
    ],
    [
      'DNS policies are known',
      { 'spec/dnsPolicy': 'Mine' },
      'spec.dnsPolicy: Unsupported value: "Mine": supported values: "ClusterFirstWithHostNet", "ClusterFirst", "Default", "None"',
    ],
    [
      'no DNS policy needs servers',
      { 'spec/dnsPolicy': 'None' },
      'spec.dnsConfig: Required value: must provide `dnsConfig` when `dnsPolicy` is None',
    ],
    ['ports have numbers', { [`${c}/ports`]: [{ name: 'http' }] }, `${C}.ports[0].containerPort: Required value`],
    [
      'ports are below 65536',
      { [`${c}/ports`]: [{ containerPort: 70_000 }] },
      `${C}.ports[0].containerPort: Invalid value: 70000: must be between 1 and 65535, inclusive`,
    ],
    [
      'port names differ',
      {
        [`${c}/ports`]: [
          { name: 'a', containerPort: 1 },
          { name: 'a', containerPort: 2 },
        ],
      },
      `${C}.ports[1].name: Duplicate value: "a"`,
    ],
    [
      'a port name is short',
      { [`${c}/ports`]: [{ name: 'a-name-far-too-long', containerPort: 1 }] },
      `${C}.ports[0].name: Invalid value: "a-name-far-too-long": must be no more than 15 characters`,
    ],
    [
      'protocols are known',
      { [`${c}/ports`]: [{ containerPort: 1, protocol: 'HTTP' }] },
      `${C}.ports[0].protocol: Unsupported value: "HTTP": supported values: "SCTP", "TCP", "UDP"`,
    ],
    [
      'a host port is given once',
      {
        [`${c}/ports`]: [
          { containerPort: 1, hostPort: 80 },
          { containerPort: 2, hostPort: 80 },
        ],
      },
      `${C}.ports[1].hostPort: Duplicate value: "TCP//80"`,
    ],
    ['variables have names', { [`${c}/env`]: [{ value: 'x' }] }, `${C}.env[0].name: Required value`],
    [
      'variable names have no equals sign',
      { [`${c}/env`]: [{ name: 'a=b' }] },
      `${C}.env[0].name: Invalid value: "a=b": a valid environment variable name must consist only of printable ASCII characters other than '='`,
    ],
    [
      'a variable has one source',
      { [`${c}/env`]: [{ name: 'A', value: 'x', valueFrom: { fieldRef: { fieldPath: 'metadata.name' } } }] },
      `${C}.env[0].valueFrom: Invalid value: "": may not be specified when \`value\` is not empty`,
    ],
    [
      'fields a variable may come from are known',
      { [`${c}/env`]: [{ name: 'A', valueFrom: { fieldRef: { fieldPath: 'spec.none' } } }] },
      `${C}.env[0].valueFrom.fieldRef.fieldPath: Invalid value: "spec.none": error converting fieldPath: field label not supported: spec.none`,
    ],
    [
      'a key of a secret is named',
      { [`${c}/env`]: [{ name: 'A', valueFrom: { secretKeyRef: { name: 's' } } }] },
      `${C}.env[0].valueFrom.secretKeyRef.key: Required value`,
    ],
    [
      'a group of variables has a source',
      { [`${c}/envFrom`]: [{ prefix: 'P' }] },
      `${C}.envFrom: Invalid value: "": must specify one of: \`configMapRef\` or \`secretRef\``,
    ],
    [
      'requests do not exceed limits',
      { [`${c}/resources`]: { requests: { cpu: '2' }, limits: { cpu: '1' } } },
      `${C}.resources.requests: Invalid value: "2": must be less than or equal to cpu limit of 1`,
    ],
    [
      'resources are not negative',
      { [`${c}/resources`]: { requests: { memory: '-1Mi' } } },
      `${C}.resources.requests[memory]: Invalid value: "-1Mi": must be greater than or equal to 0`,
    ],
    [
      'resources are known or have a domain',
      { [`${c}/resources`]: { limits: { gpu: '1' } } },
      `${C}.resources.limits[gpu]: Invalid value: "gpu": must be a standard resource type or fully qualified`,
      `${C}.resources.limits[gpu]: Invalid value: "gpu": must be a standard resource for containers`,
      `${C}.resources.requests[gpu]: Invalid value: "gpu": must be a standard resource type or fully qualified`,
      `${C}.resources.requests[gpu]: Invalid value: "gpu": must be a standard resource for containers`,
    ],
    [
      'extended resources are whole',
      { [`${c}/resources`]: { limits: { 'example.com/gpu': '1500m' } } },
      `${C}.resources.limits[example.com/gpu]: Invalid value: "1500m": must be an integer`,
      `${C}.resources.requests[example.com/gpu]: Invalid value: "1500m": must be an integer`,
    ],
    [
      'a probe has a handler',
      { [`${c}/livenessProbe`]: { periodSeconds: 5 } },
      `${C}.livenessProbe: Required value: must specify a handler type`,
    ],
    [
      'a probe has one handler',
      { [`${c}/readinessProbe`]: { exec: { command: ['a'] }, tcpSocket: { port: 80 } } },
      `${C}.readinessProbe.tcpSocket: Forbidden: may not specify more than 1 handler type`,
    ],
    [
      'numbers of a probe are not negative',
      { [`${c}/readinessProbe`]: { tcpSocket: { port: 80 }, periodSeconds: -1 } },
      `${C}.readinessProbe.periodSeconds: Invalid value: -1: must be greater than or equal to 0`,
    ],
    [
      'one success makes a container alive',
      { [`${c}/livenessProbe`]: { tcpSocket: { port: 80 }, successThreshold: 2 } },
      `${C}.livenessProbe.successThreshold: Invalid value: 2: must be 1`,
    ],
    [
      'a probe knocks at a port',
      { [`${c}/livenessProbe`]: { httpGet: { path: '/', port: 0 } } },
      `${C}.livenessProbe.httpGet.port: Invalid value: 0: must be between 1 and 65535, inclusive`,
    ],
    [
      'init containers have no probes',
      { 'spec/initContainers/0': { name: 'i', image: 'x', livenessProbe: { tcpSocket: { port: 1 } } } },
      'spec.initContainers[0].livenessProbe: Forbidden: may not be set for init containers without restartPolicy=Always',
    ],
    [
      'mounts name a volume',
      { [`${c}/volumeMounts`]: [{ name: 'v', mountPath: '/v' }] },
      `${C}.volumeMounts[0].name: Not found: "v"`,
    ],
    [
      'mount paths differ',
      {
        'spec/volumes': [{ name: 'v' }],
        [`${c}/volumeMounts`]: [
          { name: 'v', mountPath: '/v' },
          { name: 'v', mountPath: '/v' },
        ],
      },
      `${C}.volumeMounts[1].mountPath: Invalid value: "/v": must be unique`,
    ],
    [
      'a sub-path stays inside',
      { 'spec/volumes': [{ name: 'v' }], [`${c}/volumeMounts`]: [{ name: 'v', mountPath: '/v', subPath: '../x' }] },
      `${C}.volumeMounts.subPath: Invalid value: "../x": must not contain '..'`,
    ],
    [
      'volume names differ',
      { 'spec/volumes': [{ name: 'v' }, { name: 'v' }] },
      'spec.volumes[1].name: Duplicate value: "v"',
    ],
    [
      'a volume has one source',
      { 'spec/volumes': [{ name: 'v', emptyDir: {}, hostPath: { path: '/' } }] },
      'spec.volumes[0].hostPath: Forbidden: may not specify more than 1 volume type',
    ],
    [
      'a secret volume names its secret',
      { 'spec/volumes': [{ name: 'v', secret: {} }] },
      'spec.volumes[0].secret.secretName: Required value',
    ],
    [
      'file modes are octal',
      { 'spec/volumes': [{ name: 'v', configMap: { name: 'c', defaultMode: 1000 } }] },
      'spec.volumes[0].configMap.defaultMode: Invalid value: 1000: must be a number between 0 and 0777 (octal), both inclusive',
    ],
    [
      'a toleration of everything says so',
      { 'spec/tolerations': [{ operator: 'Equal', value: 'x' }] },
      'spec.tolerations[0].operator: Invalid value: "Equal": operator must be Exists when `key` is empty, which means "match all values and all keys"',
    ],
    [
      'only evictions wait',
      { 'spec/tolerations': [{ key: 'a', operator: 'Exists', effect: 'NoSchedule', tolerationSeconds: 5 }] },
      'spec.tolerations[0].effect: Invalid value: "NoSchedule": effect must be \'NoExecute\' when `tolerationSeconds` is set',
    ],
    [
      'a required node affinity has terms',
      { 'spec/affinity/nodeAffinity/requiredDuringSchedulingIgnoredDuringExecution': {} },
      'spec.affinity.nodeAffinity.requiredDuringSchedulingIgnoredDuringExecution.nodeSelectorTerms: Required value: must have at least one node selector term',
    ],
    [
      'weights are between 1 and 100',
      {
        'spec/affinity/podAntiAffinity/preferredDuringSchedulingIgnoredDuringExecution': [
          { weight: 0, podAffinityTerm: { topologyKey: 'zone' } },
        ],
      },
      'spec.affinity.podAntiAffinity.preferredDuringSchedulingIgnoredDuringExecution[0].weight: Invalid value: 0: must be in the range 1-100',
    ],
    [
      'labels to compare are labels, and only with others to compare',
      {
        'spec/affinity/podAffinity/requiredDuringSchedulingIgnoredDuringExecution': [
          { topologyKey: 'zone', matchLabelKeys: ['a'] },
          { topologyKey: 'zone', labelSelector: {}, matchLabelKeys: ['a', 'b'], mismatchLabelKeys: ['', 'b'] },
        ],
      },
      'spec.affinity.podAffinity.requiredDuringSchedulingIgnoredDuringExecution[0].matchLabelKeys: Forbidden: must not be specified when labelSelector is not set',
      'spec.affinity.podAffinity.requiredDuringSchedulingIgnoredDuringExecution[1].mismatchLabelKeys[0]: Invalid value: "": name part must be non-empty',
      'spec.affinity.podAffinity.requiredDuringSchedulingIgnoredDuringExecution[1].mismatchLabelKeys[0]: Invalid value: "": name part must consist of…',
      'spec.affinity.podAffinity.requiredDuringSchedulingIgnoredDuringExecution[1].matchLabelKeys[1]: Invalid value: "b": exists in both matchLabelKeys and mismatchLabelKeys',
    ],
    [
      'volumes are relabelled one by one',
      { 'spec/securityContext/seLinuxChangePolicy': 'MountOption' },
      'spec.securityContext.seLinuxChangePolicy: Unsupported value: "MountOption": supported values: "Recursive"',
    ],
    [
      'processes of a Windows host are in its network, all of them',
      {
        'spec/securityContext/windowsOptions/hostProcess': true,
        'spec/containers/1': { name: 'b', image: 'x', securityContext: { windowsOptions: { hostProcess: false } } },
      },
      'spec.containers[1].securityContext.windowsOptions.hostProcess: Invalid value: false: pod hostProcess value must be identical if both are specified, was true',
      'spec: Invalid value: "": If pod contains any hostProcess containers then all containers must be HostProcess containers',
      'spec.hostNetwork: Invalid value: false: hostNetwork must be true if pod contains any hostProcess containers',
    ],
    [
      'spreading has a skew',
      { 'spec/topologySpreadConstraints': [{ maxSkew: 0, topologyKey: 'zone', whenUnsatisfiable: 'DoNotSchedule' }] },
      'spec.topologySpreadConstraints[0].maxSkew: Invalid value: 0: must be greater than zero',
    ],
    [
      'users have ids that exist',
      { 'spec/securityContext/runAsUser': -1 },
      'spec.securityContext.runAsUser: Invalid value: -1: must be between 0 and 2147483647, inclusive',
    ],
    [
      'privileges and their denial do not go together',
      { [`${c}/securityContext`]: { privileged: true, allowPrivilegeEscalation: false } },
      `${C}.securityContext: Invalid value: {"privileged":true,"allowPrivilegeEscalation":false}: cannot set \`allowPrivilegeEscalation\` to false and \`privileged\` to true`,
    ],
    [
      'a local seccomp profile is named',
      { 'spec/securityContext/seccompProfile': { type: 'Localhost' } },
      'spec.securityContext.seccompProfile.localhostProfile: Required value: must be set when seccomp type is Localhost',
    ],
    [
      'host aliases have addresses',
      { 'spec/hostAliases': [{ ip: 'x', hostnames: ['a'] }] },
      'spec.hostAliases[0].ip: Invalid value: "x": must be a valid IP address, (e.g. 10.9.8.7 or 2001:db8::ffff)',
    ],
    [
      'deadlines are positive',
      { 'spec/activeDeadlineSeconds': 0 },
      'spec.activeDeadlineSeconds: Invalid value: 0: must be between 1 and 2147483647, inclusive',
    ],
    [
      'deadlines are told before the name of its host',
      { 'spec/activeDeadlineSeconds': 0, 'spec/subdomain': 'a:b', 'spec/nodeName': 'N' },
      'spec.nodeName: Invalid value: "N": a lowercase RFC 1123 subdomain…',
      'spec.activeDeadlineSeconds: Invalid value: 0: must be between 1 and 2147483647, inclusive',
      'spec.subdomain: Invalid value: "a:b": a lowercase RFC 1123 label…',
    ],
    [
      'ephemeral containers come later',
      { 'spec/ephemeralContainers': [{ name: 'e', image: 'x' }] },
      'spec.ephemeralContainers: Forbidden: cannot be set on create',
    ],
    [
      'a gated pod has no node yet',
      { 'spec/nodeName': 'n', 'spec/schedulingGates': [{ name: 'g' }] },
      'spec.nodeName: Forbidden: cannot be set until all schedulingGates have been cleared',
    ],
  ],
  fixed: [
    [
      'a pod does not move',
      { 'spec/nodeName': 'other' },
      'spec: Forbidden: pod updates may not change fields other than `spec.containers[*].image`,`spec.initContainers[*].image`,…',
    ],
    [
      'containers are neither added nor removed',
      { 'spec/containers/1': { name: 'b', image: 'x' } },
      'spec.containers: Forbidden: pod updates may not add or remove containers',
    ],
    [
      'tolerations are only added',
      { 'spec/tolerations': [{ operator: 'Exists' }] },
      'spec.tolerations: Forbidden: existing toleration can not be modified except its tolerationSeconds',
    ],
    [
      'a deadline is only brought forward',
      { 'spec/activeDeadlineSeconds': 20 },
      'spec.activeDeadlineSeconds: Invalid value: 20: must be less than or equal to previous value',
    ],
  ],
  existing: { 'spec/activeDeadlineSeconds': 10 },
};
