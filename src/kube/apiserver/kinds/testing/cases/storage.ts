import type { KindCases } from '../kind-cases.ts';

export const storageClass: KindCases = {
  kind: 'StorageClass',
  apiVersion: 'storage.k8s.io/v1',
  least: { provisioner: 'example.com/disk' },
  refused: [
    ['a provisioner is named', { provisioner: undefined }, 'provisioner: Required value'],
    [
      'policies are known',
      { reclaimPolicy: 'Burn' },
      'reclaimPolicy: Unsupported value: "Burn": supported values: "Delete", "Retain"',
    ],
    [
      'topologies have values, each once',
      { allowedTopologies: [{ matchLabelExpressions: [{ key: 'zone', values: ['a', 'a'] }, { key: 'zone' }] }] },
      'allowedTopologies[0].matchLabelExpressions[0].values[1]: Duplicate value: "a"',
      'allowedTopologies[0].matchLabelExpressions[1].values: Required value',
      'allowedTopologies[0].matchLabelExpressions[1].key: Duplicate value: "zone"',
    ],
    [
      'a topology says something',
      { allowedTopologies: [{}] },
      'allowedTopologies[0].matchLabelExpressions: Duplicate value: ""',
    ],
  ],
  fixed: [
    ['parameters stay', { parameters: { a: 'b' } }, 'parameters: Forbidden: updates to parameters are forbidden.'],
  ],
};

export const volumeAttributesClass: KindCases = {
  kind: 'VolumeAttributesClass',
  apiVersion: 'storage.k8s.io/v1',
  least: { driverName: 'example.com', parameters: { a: 'b' } },
  refused: [
    [
      'there are attributes',
      { parameters: {} },
      'parameters: Required value: must contain at least one key/value pair',
    ],
  ],
  fixed: [
    [
      'a driver stays, before it is looked at',
      { driverName: 'nginx:1.27', 'parameters/a': 'c' },
      'driverName: Forbidden: updates to driverName are forbidden.',
      'parameters: Forbidden: updates to parameters are forbidden.',
      'driverName: Invalid value: "nginx:1.27": name part must consist of…',
    ],
  ],
};

export const csiDriver: KindCases = {
  kind: 'CSIDriver',
  apiVersion: 'storage.k8s.io/v1',
  least: { spec: {} },
  refused: [
    [
      'lives of volumes are known',
      { 'spec/volumeLifecycleModes': ['Eternal'] },
      'spec.volumeLifecycleModes: Unsupported value: "Eternal": supported values: "Persistent", "Ephemeral"',
    ],
    [
      'tokens are asked for before it is said where they go',
      { 'spec/serviceAccountTokenInSecrets': true },
      'spec.serviceAccountTokenInSecrets: Invalid value: true: serviceAccountTokenInSecrets is set but no tokenRequests are specified',
    ],
    [
      'what nodes can take is asked at most every ten seconds',
      { 'spec/nodeAllocatableUpdatePeriodSeconds': 2 },
      'spec.nodeAllocatableUpdatePeriodSeconds: Invalid value: 2: must be greater than or equal to 10 seconds',
    ],
  ],
  fixed: [
    [
      'attaching stays as it is',
      { 'spec/attachRequired': false },
      'spec.attachedRequired: Invalid value: false: field is immutable',
    ],
  ],
};

export const csiNode: KindCases = {
  kind: 'CSINode',
  apiVersion: 'storage.k8s.io/v1',
  least: { spec: { drivers: [{ name: 'example.com', nodeID: 'n' }] } },
  refused: [
    [
      'a driver knows the node by a name of some length',
      { 'spec/drivers/0/nodeID': 'x'.repeat(257) },
      `spec.drivers[0].nodeID: Invalid value: "${'x'.repeat(257)}": must be 256 characters or less`,
    ],
  ],
};

export const volumeAttachment: KindCases = {
  kind: 'VolumeAttachment',
  apiVersion: 'storage.k8s.io/v1',
  least: { spec: { attacher: 'example.com', nodeName: 'n', source: { persistentVolumeName: 'v' } } },
  refused: [
    [
      'there is a volume',
      { 'spec/source': {} },
      'spec.source: Required value: must specify exactly one of inlineVolumeSpec and persistentVolumeName',
    ],
    [
      'the volume has a name that volumes can have',
      { 'spec/source/persistentVolumeName': 'V' },
      'spec.source.persistentVolumeName: Invalid value: "V": a lowercase RFC 1123 subdomain…',
    ],
  ],
  fixed: [
    [
      'it stays',
      { 'spec/nodeName': 'm' },
      'spec: Invalid value: {"attacher":"example.com","source":{"persistentVolumeName":"v"},"nodeName":"m"}: field is immutable',
    ],
  ],
};

export const persistentVolumeClaim: KindCases = {
  kind: 'PersistentVolumeClaim',
  apiVersion: 'v1',
  least: { spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } } } },
  refused: [
    [
      'access modes are required',
      { 'spec/accessModes': [] },
      'spec.accessModes: Required value: at least 1 access mode is required',
    ],
    [
      'access modes are known',
      { 'spec/accessModes': ['Any'] },
      'spec.accessModes: Unsupported value: "Any": supported values: "ReadOnlyMany", "ReadWriteMany", "ReadWriteOnce", "ReadWriteOncePod"',
    ],
    ['a size is required', { 'spec/resources': {} }, 'spec.resources[storage]: Required value'],
    [
      'a size is positive',
      { 'spec/resources/requests/storage': '0' },
      'spec.resources[storage]: Invalid value: "0": must be greater than zero',
    ],
    [
      'a class of attributes has a name that classes can have',
      { 'spec/volumeAttributesClassName': 'TCP' },
      'spec.volumeAttributesClassName: Invalid value: "TCP": a lowercase RFC 1123 subdomain…',
    ],
  ],
  fixed: [
    [
      'what was asked for stays',
      { 'spec/accessModes': ['ReadWriteMany'] },
      'spec: Forbidden: spec is immutable after creation except resources.requests and volumeAttributesClassName for bound claims…',
    ],
  ],
};

export const persistentVolume: KindCases = {
  kind: 'PersistentVolume',
  apiVersion: 'v1',
  least: { spec: { accessModes: ['ReadWriteOnce'], capacity: { storage: '1Gi' }, hostPath: { path: '/data' } } },
  refused: [
    ['access modes are required', { 'spec/accessModes': [] }, 'spec.accessModes: Required value'],
    ['a source is required', { 'spec/hostPath': undefined }, 'spec: Required value: must specify a volume type'],
    [
      'a size is required',
      { 'spec/capacity': {} },
      'spec.capacity: Required value',
      'spec.capacity: Unsupported value: null: supported values: "storage"',
    ],
    [
      'policies are known',
      { 'spec/persistentVolumeReclaimPolicy': 'Burn' },
      'spec.persistentVolumeReclaimPolicy: Unsupported value: "Burn": supported values: "Delete", "Recycle", "Retain"',
    ],
    [
      'a local volume says where it is',
      { 'spec/hostPath': undefined, 'spec/local': { path: '/mnt' } },
      'spec.nodeAffinity: Required value: Local volume requires node affinity',
    ],
    [
      'partitions of a disk are numbered',
      { 'spec/hostPath': undefined, 'spec/gcePersistentDisk': { pdName: 'd', partition: 443 } },
      'spec.persistentDisk.partition: Invalid value: 443: must be between 1 and 255, inclusive',
    ],
    [
      'a flexible volume does not mind others, others do',
      { 'spec/flexVolume': {}, 'spec/cephfs': { monitors: ['m'] } },
      'spec.cephFS: Forbidden: may not specify more than 1 volume type',
      'spec.flexVolume.driver: Required value',
    ],
    [
      'names of initiators have a format',
      {
        'spec/hostPath': undefined,
        'spec/iscsi': { targetPortal: 'p', iqn: '10.0.0.1', lun: 0, initiatorName: 'TCP' },
      },
      'spec.iscsi.iqn: Invalid value: "10.0.0.1": must be valid format',
      'spec.iscsi.initiatorname: Invalid value: "TCP": must be valid format',
    ],
  ],
  fixed: [
    [
      'its source stays',
      { 'spec/hostPath/path': '/other' },
      'spec.persistentvolumesource: Forbidden: spec.persistentvolumesource is immutable after creation…',
    ],
  ],
};
