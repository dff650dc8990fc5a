/**
 * Makes `docs/api.md` from the descriptors of every service: operations, their REST paths, and what the proto files say
 * of them.
 *
 *     npm run gen:api-doc
 *
 * `gen-api-doc.test.ts` checks the committed file.
 */
import { globSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { DescMethod, DescService } from '@bufbuild/protobuf';
import { isObject } from '#base/json.ts';
import { COMMENTS } from '#gen/proto/comments.ts';
import { routesOf } from '#rpc/rest/routes.ts';

const ROOT = resolve(import.meta.dirname, '..');
const TARGET = join(ROOT, 'docs/api.md');

/** Every service of the platform, by name. */
export async function services(): Promise<readonly DescService[]> {
  const files = globSync('gen/proto/{kairship,kpanda,ghippo}/**/*_service_pb.ts', { cwd: ROOT });
  const modules = await Promise.all(files.map((file): Promise<object> => import(join(ROOT, file))));
  return modules
    .flatMap((module) => Object.values(module))
    .filter(isService)
    .toSorted((a, b) => (a.typeName < b.typeName ? -1 : 1));
}

const isService = (value: unknown): value is DescService => isObject(value) && value['kind'] === 'service';

const PARTS = [
  ['kairship', 'Instances and what runs in them'],
  ['kpanda', 'The inventory of clusters'],
  ['ghippo', 'People and rights'],
] as const;

export function apiDocument(all: readonly DescService[]): string {
  return [
    '# The API',
    '',
    "Made by `npm run gen:api-doc` from the proto files; do not edit. Every operation is served at the platform's one port by",
    'gRPC, gRPC-Web and Connect, as `POST /PACKAGE.SERVICE/OPERATION`, and by REST at the paths below. `/openapi` has the',
    'fields of every request and answer, and `proto/` the files themselves; who may call what is in',
    '[permissions.md](permissions.md).',
    '',
    'Requests carry `authorization: Bearer TOKEN`. Lists take `page` and `pageSize`. Failures are a `google.rpc.Status` whose',
    'details name the reason as Kubernetes does (`NotFound`, `Conflict`). An operation marked with ↻ goes on until it is ended,',
    'by REST with one line `{"result": …}` for each message.',
    '',
    ...PARTS.flatMap(([name, title]) =>
      part(
        title,
        all.filter(({ typeName }) => typeName.startsWith(`${name}.`)),
      ),
    ),
  ]
    .join('\n')
    .trimEnd()
    .concat('\n');
}

const part = (title: string, all: readonly DescService[]) => [`## ${title}`, '', ...all.flatMap(section)];

function section(service: DescService): readonly string[] {
  return [
    `### ${service.name.replace(/Service$/, '')}`,
    '',
    [`\`${service.typeName}\``, COMMENTS[service.typeName]].filter(Boolean).join(': '),
    '',
    '| Operation | REST | |',
    '| --- | --- | --- |',
    ...service.methods.map((method) => row(service, method)),
    '',
  ];
}

function row(service: DescService, method: DescMethod): string {
  const paths = routesOf(service).filter(({ rpc }) => rpc === method);
  const rest = paths.map(({ method: verb, path }) => `\`${verb} ${path}\``).join('<br>');
  const words = (COMMENTS[`${service.typeName}.${method.name}`] ?? '').replaceAll('\n', ' ').replaceAll('|', '\\|');
  return `| ${method.name}${method.methodKind === 'unary' ? '' : ' ↻'} | ${rest || 'none'} | ${words} |`;
}

if (import.meta.main) writeFileSync(TARGET, apiDocument(await services()));
