/**
 * The REST routes of a service, from the `google.api.http` options of its RPCs alone.
 *
 * A route names its RPC, its verb and template, and where each part of the request comes from. Whatever does not fit
 * (a field that is not there, a list in a path, a stream of requests) is a mistake in a proto file and throws here, when
 * a program starts.
 */
import { type DescField, type DescMethod, type DescService, getOption, hasOption } from '@bufbuild/protobuf';
import { http } from '#gen/proto/google/api/annotations_pb.ts';
import type { HttpRule } from '#gen/proto/google/api/http_pb.ts';
import { isText, resolvePath } from './field-path.ts';
import { type PathTemplate, parseTemplate } from './path-template.ts';

export interface Route {
  readonly method: string;
  /** The template as the proto file has it. */
  readonly path: string;
  readonly template: PathTemplate;
  readonly rpc: DescMethod;
  /** The fields that variables of the path set, by the name they have there. */
  readonly pathFields: ReadonlyMap<string, readonly DescField[]>;
  /** The field that is the body; all of the request with `*`. */
  readonly body: readonly DescField[] | '*' | undefined;
  /** The field of the answer that is sent; undefined is all of it. */
  readonly responseBody: DescField | undefined;
}

export function routesOf(service: DescService): Route[] {
  return service.methods.flatMap((rpc) => {
    if (!hasOption(rpc, http)) return [];
    const rule = getOption(rpc, http);
    return [rule, ...rule.additionalBindings].map((binding) => routeOf(rpc, binding));
  });
}

function routeOf(rpc: DescMethod, rule: HttpRule): Route {
  const fail = (why: string): never => {
    throw new Error(`${rpc.parent.typeName}/${rpc.name}: ${why}`);
  };
  if (rpc.methodKind === 'client_streaming' || rpc.methodKind === 'bidi_streaming') {
    fail('a stream of requests has no REST route');
  }
  const { method, path } = verbOf(rule) ?? fail('the HTTP rule has no path');
  const template = parseTemplate(path);
  const pathFields = new Map(
    template.variables.map(({ field }) => {
      const fields = resolvePath(rpc.input, field) ?? fail(`${rpc.input.typeName} has no field ${field}`);
      const last = fields.at(-1);
      if (!last || last.fieldKind === 'list' || last.fieldKind === 'map' || !isText(last)) {
        fail(`${field} cannot stand in a path`);
      }
      return [field, fields];
    }),
  );
  return { method, path, template, rpc, pathFields, ...bodiesOf(rpc, rule, fail) };
}

function bodiesOf(rpc: DescMethod, rule: HttpRule, fail: (why: string) => never): Pick<Route, 'body' | 'responseBody'> {
  const named = (name: string) => resolvePath(rpc.input, name) ?? fail(`${rpc.input.typeName} has no field ${name}`);
  const body = rule.body === '' ? undefined : rule.body === '*' ? '*' : named(rule.body);
  if (rule.responseBody === '') return { body, responseBody: undefined };
  const [field, ...more] = resolvePath(rpc.output, rule.responseBody) ?? [];
  if (!field || more.length > 0) fail(`${rpc.output.typeName} has no field ${rule.responseBody}`);
  return { body, responseBody: field };
}

function verbOf({ pattern }: HttpRule): { method: string; path: string } | undefined {
  if (pattern.case === undefined) return undefined;
  if (pattern.case === 'custom') return { method: pattern.value.kind, path: pattern.value.path };
  return { method: pattern.case.toUpperCase(), path: pattern.value };
}

/** The template with the names that JSON has, and without patterns: `/v1/books/{bookName}:publish`. */
export function plainPath({ template, pathFields }: Route): string {
  const { segments, variables, verb } = template;
  const parts: string[] = [];
  for (let index = 0; index < segments.length; index += 1) {
    const segment = segments[index];
    const variable = variables.find(({ from }) => from === index);
    if (variable) index = variable.to - 1;
    parts.push(
      variable ? `{${jsonPath(pathFields.get(variable.field))}}` : segment?.kind === 'text' ? segment.text : '*',
    );
  }
  return `/${parts.join('/')}${verb === undefined ? '' : `:${verb}`}`;
}

/** What JSON calls a field: `book.bookName`. */
export const jsonPath = (fields: readonly DescField[] = []) => fields.map(({ jsonName }) => jsonName).join('.');
