import type { KindCases } from '../kind-cases.ts';

export const priorityClass: KindCases = {
  kind: 'PriorityClass',
  apiVersion: 'scheduling.k8s.io/v1',
  least: { value: 100 },
  refused: [
    [
      'the highest are reserved',
      { value: 2_000_000_000 },
      'value: Forbidden: maximum allowed value of a user defined priority is 1000000000',
    ],
    [
      "the system's names are reserved",
      { 'metadata/name': 'system-mine' },
      "metadata.name: Forbidden: priority class names with 'system-' prefix are reserved for system use only. error: system-mine is not a known system priority class",
    ],
  ],
  fixed: [['the value stays', { value: 200 }, 'value: Forbidden: may not be changed in an update.']],
};

export const lease: KindCases = {
  kind: 'Lease',
  apiVersion: 'coordination.k8s.io/v1',
  least: { spec: { holderIdentity: 'me' } },
  refused: [
    [
      'it lasts',
      { 'spec/leaseDurationSeconds': 0 },
      'spec.leaseDurationSeconds: Invalid value: 0: must be greater than 0',
    ],
  ],
};

export const runtimeClass: KindCases = {
  kind: 'RuntimeClass',
  apiVersion: 'node.k8s.io/v1',
  least: { handler: 'runc' },
  refused: [['a handler is a label', { handler: 'a.b' }, 'handler: Invalid value: "a.b": must not contain dots']],
  fixed: [['the handler stays', { handler: 'other' }, 'handler: Invalid value: "other": field is immutable']],
};

/** Asks for a certificate for `CN=jane`. */
const request =
  'LS0tLS1CRUdJTiBDRVJUSUZJQ0FURSBSRVFVRVNULS0tLS0KTUlIS01IRUNBUUF3RHpFTk1Bc0dBMVVFQXd3RWFtRnVaVEJaTUJNR0J5cUdTTTQ5QWdFR0NDcUdTTTQ5QXdFSApBMElBQk1iQ1hSZ3J2MThlMkFOQzBOaXBmR20vQWNLMTVQelNIUEFvQTNCVktqU1U3MkoyNlVCYlYrR2dDa1VuCkNqWCtZNTU3bUhLd0l1TEtMWTJnTXRJYmtqMmdBREFLQmdncWhrak9QUVFEQWdOSkFEQkdBaUVBcTJ6RDhrZzcKYzN5UXdtbXA0MVBJaVJHZmhVS0RBdnVncTB2V0lMa0M1Tk1DSVFDcmI4WnF2a0N4WlhHV0R4eGxFQnhVVnNVcApUNmJxbUVxQWErYWQ0TDlDZlE9PQotLS0tLUVORCBDRVJUSUZJQ0FURSBSRVFVRVNULS0tLS0K';

export const certificateSigningRequest: KindCases = {
  kind: 'CertificateSigningRequest',
  apiVersion: 'certificates.k8s.io/v1',
  least: { spec: { request, signerName: 'example.com/signer', usages: ['client auth'] } },
  refused: [
    ['usages are required', { 'spec/usages': [] }, 'spec.usages: Required value'],
    [
      'usages are known',
      { 'spec/usages': ['fun'] },
      'spec.usages[0]: Unsupported value: "fun": supported values: "any", "cert sign",…',
    ],
    [
      'it lasts ten minutes',
      { 'spec/expirationSeconds': 60 },
      'spec.expirationSeconds: Invalid value: 60: may not specify a duration less than 600 seconds (10 minutes)',
    ],
    ['a signer is named', { 'spec/signerName': '' }, 'spec.signerName: Required value'],
  ],
};

export const flowSchema: KindCases = {
  kind: 'FlowSchema',
  apiVersion: 'flowcontrol.apiserver.k8s.io/v1',
  least: { spec: { priorityLevelConfiguration: { name: 'global-default' } } },
  refused: [
    [
      'its turn is below 10000',
      { 'spec/matchingPrecedence': 20_000 },
      'spec.matchingPrecedence: Invalid value: 20000: must not be greater than 10000',
    ],
    [
      'a level is named',
      { 'spec/priorityLevelConfiguration/name': '' },
      'spec.priorityLevelConfiguration.name: Required value',
    ],
  ],
};

export const priorityLevelConfiguration: KindCases = {
  kind: 'PriorityLevelConfiguration',
  apiVersion: 'flowcontrol.apiserver.k8s.io/v1',
  least: { spec: { type: 'Limited', limited: { limitResponse: { type: 'Reject' } } } },
  refused: [
    [
      'a limit is told',
      { 'spec/limited': undefined },
      'spec.limited: Required value: must not be empty when type is Limited',
    ],
    [
      'a queue is described',
      { 'spec/limited/limitResponse/type': 'Queue' },
      'spec.limited.limitResponse.queuing: Required value: must not be empty if limited.limitResponse.type is Limited',
    ],
  ],
};

export const resourceClaim: KindCases = {
  kind: 'ResourceClaim',
  apiVersion: 'resource.k8s.io/v1',
  least: { spec: { devices: { requests: [{ name: 'gpu', exactly: { deviceClassName: 'gpu.example.com' } }] } } },
  refused: [
    [
      'a class is named',
      { 'spec/devices/requests/0/exactly/deviceClassName': '' },
      'spec.devices.requests[0].exactly.deviceClassName: Required value',
    ],
  ],
  fixed: [
    ['what was asked for stays', { 'spec/devices/requests/0/exactly/count': 2 }, 'spec: Invalid value: {"devices":…'],
  ],
};
