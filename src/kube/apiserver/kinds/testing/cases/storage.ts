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
  ],
  fixed: [
    [
      'attaching stays as it is',
      { 'spec/attachRequired': false },
      'spec.attachedRequired: Invalid value: false: field is immutable',
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
  ],
  fixed: [
    [
      'its source stays',
      { 'spec/hostPath/path': '/other' },
      'spec.persistentvolumesource: Forbidden: spec.persistentvolumesource is immutable after creation…',
    ],
  ],
};
