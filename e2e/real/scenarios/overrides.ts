/** What is changed on the way to each cluster. */
import type { Scenario } from '../scenario.ts';
import {
  configMap,
  CONFIG_MAPS,
  DEPLOYMENTS,
  deployment,
  override,
  patch,
  policy,
  ref,
  remove,
  to,
} from './objects.ts';

const web = (overriders: object, podSpec: object = {}) => [
  deployment('web', 1, podSpec, { labels: { keep: 'a', drop: 'b' }, annotations: { keep: 'a', drop: 'b' } }),
  override('o', DEPLOYMENTS, [{ targetCluster: { clusterNames: ['m2'] }, overriders }]),
  policy('p', DEPLOYMENTS, to('m1', 'm2')),
];

export const OVERRIDES: readonly Scenario[] = [
  {
    name: 'override-plaintext',
    about: 'plain text is put in, replaced and taken out by JSON path',
    given: web({
      plaintext: [
        { path: '/spec/replicas', operator: 'replace', value: 3 },
        { path: '/metadata/annotations/added', operator: 'add', value: 'c' },
        { path: '/metadata/annotations/drop', operator: 'remove' },
      ],
    }),
  },
  {
    name: 'override-image',
    about: 'registry, repository and tag of images',
    given: web({
      imageOverrider: [
        { component: 'Registry', operator: 'replace', value: 'registry.example' },
        { component: 'Tag', operator: 'replace', value: '1.28' },
        { component: 'Repository', operator: 'add', value: '-slim' },
      ],
    }),
  },
  {
    name: 'override-command',
    about: 'commands and arguments of a container',
    given: web(
      {
        commandOverrider: [{ containerName: 'main', operator: 'add', value: ['--fast'] }],
        argsOverrider: [{ containerName: 'main', operator: 'remove', value: ['b'] }],
      },
      { containers: [{ name: 'main', image: 'nginx', command: ['run'], args: ['a', 'b'] }] },
    ),
  },
  {
    name: 'override-labels',
    about: 'labels and annotations',
    given: web({
      labelsOverrider: [
        { operator: 'add', value: { added: 'c' } },
        { operator: 'replace', value: { keep: 'd' } },
        { operator: 'remove', value: { drop: 'b' } },
      ],
      annotationsOverrider: [
        { operator: 'add', value: { added: 'c' } },
        { operator: 'replace', value: { keep: 'd' } },
        { operator: 'remove', value: { drop: 'b' } },
      ],
    }),
  },
  {
    name: 'override-field',
    about: 'a field inside YAML and JSON text of a ConfigMap',
    given: [
      configMap('a', {}, { 'app.yaml': 'db:\n  host: one\n  port: 1\n', 'app.json': '{"db":{"host":"one"}}' }),
      override('o', CONFIG_MAPS, [
        {
          targetCluster: { clusterNames: ['m1'] },
          overriders: {
            fieldOverrider: [
              { fieldPath: '/data/app.yaml', yaml: [{ subPath: '/db/host', operator: 'replace', value: 'two' }] },
              { fieldPath: '/data/app.json', json: [{ subPath: '/db/host', operator: 'replace', value: 'two' }] },
            ],
          },
        },
      ]),
      policy('p', CONFIG_MAPS, to('m1', 'm2')),
    ],
  },
  {
    name: 'override-changes',
    about: 'an override that changes and goes is followed; cluster ones come first',
    given: [
      configMap('a', { labels: { from: 'template' } }),
      {
        ...override('override-changes--c', CONFIG_MAPS, [
          { overriders: { labelsOverrider: [{ operator: 'add', value: { from: 'cluster', also: 'cluster' } }] } },
        ]),
        kind: 'ClusterOverridePolicy',
        spec: {
          resourceSelectors: [{ apiVersion: 'v1', kind: 'ConfigMap', namespace: 'override-changes' }],
          overrideRules: [
            { overriders: { labelsOverrider: [{ operator: 'add', value: { from: 'cluster', also: 'cluster' } }] } },
          ],
        },
      },
      override('o', CONFIG_MAPS, [
        { overriders: { labelsOverrider: [{ operator: 'replace', value: { from: 'namespace' } }] } },
      ]),
      policy('p', CONFIG_MAPS, to('m1')),
    ],
    phases: [
      [
        patch(ref('OverridePolicy', 'o'), {
          spec: {
            overrideRules: [{ overriders: { labelsOverrider: [{ operator: 'replace', value: { from: 'changed' } }] } }],
          },
        }),
      ],
      [remove(ref('OverridePolicy', 'o'))],
      [remove(ref('ClusterOverridePolicy', 'override-changes--c'))],
    ],
  },
];
