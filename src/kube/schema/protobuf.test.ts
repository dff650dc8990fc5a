import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import * as fc from 'fast-check';
import { hasReason } from '#base/status-error.ts';
import { gvkOf } from '#kube/meta/gvk.ts';
import { builtinSchema } from './builtin.ts';
import { orderFields } from './order-fields.ts';
import { decodeProtobuf } from './protobuf.ts';
import { encodeMessage as encode, type ProtobufField as Field } from './protobuf-writer.ts';
import { dropUnknownFields } from './unknown-fields.ts';

function envelope(apiVersion: string, kind: string, message: readonly Field[]): Buffer {
  const typeMeta: Field = [
    1,
    [
      [1, apiVersion],
      [2, kind],
    ],
  ];
  return Buffer.concat([Buffer.from('k8s\0'), encode([typeMeta, [2, encode(message)], [3, ''], [4, '']])]);
}

const metadata: Field = [
  1,
  [
    [1, 'web'],
    [3, ''],
    [8, []],
    [
      11,
      [
        [1, 'app'],
        [2, 'web'],
      ],
    ],
  ],
];

describe('decodeProtobuf', () => {
  it('decodes an object as its JSON would be', () => {
    const container: Field = [
      2,
      [
        [1, 'c'],
        [2, 'nginx'],
        [
          6,
          [
            [1, ''],
            [3, 80n],
            [4, 'TCP'],
          ],
        ],
        [
          8,
          [
            [
              1,
              [
                [1, 'cpu'],
                [2, [[1, '0.5']]],
              ],
            ],
          ],
        ],
      ],
    ];
    const spec: Field = [
      2,
      [
        [1, 3],
        [
          2,
          [
            [
              1,
              [
                [1, 'app'],
                [2, 'web'],
              ],
            ],
          ],
        ],
        [
          3,
          [
            [1, []],
            [2, [container]],
          ],
        ],
        [
          4,
          [
            [1, 'RollingUpdate'],
            [
              2,
              [
                [
                  1,
                  [
                    [1, 1],
                    [2, 0],
                    [3, '25%'],
                  ],
                ],
                [
                  2,
                  [
                    [1, 0],
                    [2, 1],
                    [3, ''],
                  ],
                ],
              ],
            ],
          ],
        ],
        [99, 'unknown to us'],
      ],
    ];
    assert.deepEqual(decodeProtobuf(envelope('apps/v1', 'Deployment', [metadata, spec, [3, []]])), {
      apiVersion: 'apps/v1',
      kind: 'Deployment',
      metadata: { name: 'web', labels: { app: 'web' } },
      spec: {
        replicas: 3,
        selector: { matchLabels: { app: 'web' } },
        template: {
          metadata: {},
          spec: {
            containers: [
              {
                name: 'c',
                image: 'nginx',
                ports: [{ containerPort: 80, protocol: 'TCP' }],
                resources: { limits: { cpu: '500m' } },
              },
            ],
          },
        },
        strategy: { type: 'RollingUpdate', rollingUpdate: { maxUnavailable: '25%', maxSurge: 1 } },
      },
      status: {},
    });
  });

  it('decodes times, bytes, embedded structs and negative numbers', () => {
    const lease = envelope('coordination.k8s.io/v1', 'Lease', [
      [
        2,
        [
          [1, 'me'],
          [2, -1n],
          [
            4,
            [
              [1, 1_700_000_000n],
              [2, 123_456_789],
            ],
          ],
        ],
      ],
    ]);
    assert.deepEqual(decodeProtobuf(lease)['spec'], {
      holderIdentity: 'me',
      leaseDurationSeconds: -1,
      renewTime: '2023-11-14T22:13:20.123456Z',
    });
    const secret = decodeProtobuf(
      envelope('v1', 'Secret', [
        [
          2,
          [
            [1, 'k'],
            [2, Buffer.from([0, 255])],
          ],
        ],
      ]),
    );
    assert.deepEqual(secret['data'], { k: 'AP8=' });
    const pod = envelope('v1', 'Pod', [
      [
        2,
        [
          [
            1,
            [
              [1, 'v'],
              [2, [[2, [[1, 'Memory']]]]],
            ],
          ],
        ],
      ],
    ]);
    const { spec } = decodeProtobuf(pod) as { spec?: { volumes?: unknown } };
    assert.deepEqual(spec?.volumes, [{ name: 'v', emptyDir: { medium: 'Memory' } }]);
  });

  it('decodes DeleteOptions under whatever group the client names', () => {
    const options = envelope('apps/v1', 'DeleteOptions', [
      [1, 0n],
      [4, 'Background'],
      [2, [[1, 'u']]],
    ]);
    assert.deepEqual(decodeProtobuf(options), {
      apiVersion: 'apps/v1',
      kind: 'DeleteOptions',
      gracePeriodSeconds: 0,
      propagationPolicy: 'Background',
      preconditions: { uid: 'u' },
    });
  });

  it('takes packed numbers as well as single ones', () => {
    const group = (fields: readonly Field[]) =>
      decodeProtobuf(envelope('v1', 'Pod', [[2, [[14, fields]]]])) as { spec?: { securityContext?: unknown } };
    const expected = { supplementalGroups: [1, 300] };
    assert.deepEqual(
      group([
        [4, 1],
        [4, 300],
      ]).spec?.securityContext,
      expected,
    );
    assert.deepEqual(group([[4, Buffer.from([1, 0xac, 0x02])]]).spec?.securityContext, expected);
  });

  it('refuses what it cannot read as a bad request', () => {
    const good = envelope('v1', 'ConfigMap', [
      metadata,
      [
        2,
        [
          [1, 'k'],
          [2, 'v'],
        ],
      ],
    ]);
    const cases: [Uint8Array, RegExp][] = [
      [Buffer.from('{}'), /expected prefix/],
      [new Uint8Array(), /expected prefix/],
      [envelope('v1', 'Nothing', []), /no kind "Nothing" is registered for version "v1"/],
      [good.subarray(0, good.length - 8), /unexpected EOF/],
      [envelope('v1', 'ConfigMap', [[1, 5]]), /wrong wireType = 0 for field metadata/],
      [Buffer.concat([Buffer.from('k8s\0'), Buffer.from([0x0f])]), /illegal wireType 7/],
      [Buffer.concat([Buffer.from('k8s\0'), Buffer.alloc(20, 0xff)]), /integer overflow/],
      [
        envelope('v1', 'ConfigMap', [
          [
            2,
            [
              [1, '__proto__'],
              [2, 'v'],
            ],
          ],
        ]),
        /__proto__/,
      ],
    ];
    for (const [bytes, message] of cases) {
      assert.throws(
        () => decodeProtobuf(bytes),
        (error) => hasReason(error, 'BadRequest') && message.test(error.message),
      );
    }
  });

  it('refuses schemas nested without end', () => {
    let schema = encode([[5, 'object']]);
    for (let depth = 0; depth < 2000; depth++) schema = encode([[28, schema]]);
    const crd = envelope('apiextensions.k8s.io/v1', 'CustomResourceDefinition', [[2, [[7, [[4, [[1, schema]]]]]]]]);
    assert.throws(() => decodeProtobuf(crd), /exceeded max depth/);
  });

  it('never fails otherwise on damaged input', () => {
    const good = envelope('v1', 'ConfigMap', [
      metadata,
      [
        2,
        [
          [1, 'k'],
          [2, 'v'],
        ],
      ],
    ]);
    const property = fc.property(fc.nat(good.length - 1), fc.nat(255), fc.nat(good.length), (at, byte, length) => {
      const damaged = Buffer.from(good.subarray(0, length));
      if (at < damaged.length) damaged[at] = byte;
      try {
        decodeProtobuf(damaged);
      } catch (error) {
        assert.ok(hasReason(error, 'BadRequest'), String(error));
      }
    });
    fc.assert(property, { seed: 1, numRuns: 1000 });
  });
});

/** Objects of every kind with every field set, published with the Go modules in protobuf and in JSON. */
function publishedObjects(): string | undefined {
  try {
    const cache = execFileSync('go', ['env', 'GOMODCACHE'], { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] });
    const directory = join(cache.trim(), 'k8s.io/api@v0.35.8/testdata/HEAD');
    return existsSync(directory) ? directory : undefined;
  } catch {
    return undefined;
  }
}

describe('objects published with the Go modules', () => {
  const directory = publishedObjects();
  const skip = directory ? false : 'k8s.io/api is not in the Go module cache of this machine';

  it('decode to their JSON twins, and are written in the same key order', { skip }, () => {
    assert.ok(directory);
    let compared = 0;
    for (const file of readdirSync(directory).filter((name) => name.endsWith('.pb'))) {
      const twin: unknown = JSON.parse(readFileSync(join(directory, file.replace(/pb$/, 'json')), 'utf8'));
      const schema = schemaOfTwin(twin);
      if (!schema) continue;
      const decoded = decodeProtobuf(readFileSync(join(directory, file)));
      const expected = structuredClone(twin) as Record<string, unknown>;
      dropUnknownFields(schema, expected);
      assert.deepEqual(decoded, expected, file);
      assert.equal(JSON.stringify(orderFields(schema, decoded)), JSON.stringify(twin), file);
      compared++;
    }
    assert.ok(compared > 60, `only ${compared} kinds compared`);
  });
});

function schemaOfTwin(twin: unknown) {
  const { apiVersion, kind } = twin as { apiVersion?: string; kind?: string };
  if (apiVersion === undefined || kind === undefined) return undefined;
  const gvk = gvkOf({ apiVersion, kind });
  return builtinSchema(kind === 'DeleteOptions' ? { ...gvk, group: 'meta.k8s.io', version: 'v1' } : gvk);
}
